"""Side effects of a program while JAX traces it, and its repeated compilations.

It detects reads of Python's random numbers and clocks, changes of outside state, leaked tracers, and recompilations.
"""
