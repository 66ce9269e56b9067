"""From the selected thing to everything that belongs to it.

Functions of a snapshot, without state and without jax; of Qt they use the translation of words alone.
"""
