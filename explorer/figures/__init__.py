"""Figures for pictures and scripts: curves, ratios, trust, equal rows, and JSON records.

They depend on NumPy and messages only: no Qt, no JAX.
"""
