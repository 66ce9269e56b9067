"""What measurements and arrays say: curves, ratios, trust, equal rows, and the records that scripts read.

NumPy and messages alone: no Qt, no jax.
"""
