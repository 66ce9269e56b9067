"""Votes by phone: a small web server in a process of its own, without Qt, JAX and NumPy."""
