"""Curves, ratios, trust, equal rows and records for scripts, from NumPy and messages alone: no Qt, no jax."""
