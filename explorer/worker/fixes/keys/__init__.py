"""Fixes for keys that are shared or reused: one key for each example, each iteration, each use.

All of it goes by the text alone: which of the proposals are right is tried in ``runs``.
"""
