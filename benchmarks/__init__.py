"""Measurements of the application itself, as ratios within one run: ``python -m benchmarks``."""
