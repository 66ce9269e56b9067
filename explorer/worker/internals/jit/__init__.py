"""Observation of jit: calls, traces and fast paths.

`jit_calls`: each call of a jitted function. `jit_traces`: each function whose jaxpr someone asks for, traced or known.
"""
