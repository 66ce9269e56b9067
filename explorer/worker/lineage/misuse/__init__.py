"""Misuse of a run's keys: keys used again, keys shared by examples, unused keys.

It reads the lineage and what the user says is on purpose, and tells by cause where keys are made, passed and spent.
"""
