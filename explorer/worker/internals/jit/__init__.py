"""Observation of jit: calls, traces and fast paths.

`jit_calls`: each call of a jitted function. `jit_traces`: each request for the jaxpr of a function, new or cached.
"""
