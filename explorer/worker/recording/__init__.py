"""Every key operation of a real run, in order: at the top level, and out of jitted functions.

It hooks into JAX through ``internals`` and only notes; what the log means is found in ``lineage``.
"""
