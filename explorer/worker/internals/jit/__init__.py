"""Observation of jit: calls, traces and fast paths.

`jit_calls`: each call of a jitted function. `jaxpr_lookups`: each request for the jaxpr of a function, new or cached.
"""
