"""Misuse of a run's keys: reused keys, keys shared by examples, unused keys.

It reads the lineage and the marks of intended reuse, and names the cause: where keys are made, passed and consumed.
"""
