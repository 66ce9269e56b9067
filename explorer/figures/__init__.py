"""Curves, ratios, trust, equal rows, and the records that scripts read.

They come from NumPy and messages alone: no Qt, no jax.
"""
