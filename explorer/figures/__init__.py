"""Results of measurements and arrays: curves, ratios, trust, equal rows, and the records for scripts.

NumPy and messages alone: no Qt, no jax.
"""
