"""From the one thing that is selected to everything that belongs to it.

Pure functions of a snapshot: no Qt, no jax, no state.
"""
