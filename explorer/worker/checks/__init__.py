"""Checks for mistakes that JAX accepts silently, in a run of their own. While it is traced, and in its values."""
