"""Recording of all key operations of a real run, in order, including those in jitted functions.

It hooks into JAX through ``internals`` and only records; ``lineage`` interprets the log.
"""
