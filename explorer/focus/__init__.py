"""From the selected thing to all related things.

Functions of a snapshot, without state and without jax; of Qt they use the translations alone.
"""
