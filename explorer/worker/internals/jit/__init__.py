"""What jit is asked for.

`jit_calls`: each call of a jitted function. `jit_traces`: each function whose jaxpr someone asks for, traced or known.
"""
