"""Lineage of random keys: the operations that made and consumed each key, read from the log of `recording`.

It runs no user code.
"""
