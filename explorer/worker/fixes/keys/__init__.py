"""Fixes for shared or reused keys: one key per example, per iteration, per use.

They go by the source text alone; ``runs`` tests which proposals work.
"""
