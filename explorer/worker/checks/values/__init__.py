"""Checks of values that JAX accepts silently: out-of-bounds indices, NaN and inf, lossy casts.

Each operation of a run is checked with NumPy. A check of a jit computes only the indices and integers of user lines,
and reports an error only if an output changes when the value is replaced. NaN is searched for operation by operation
once an output has some, and followed until it reaches an output.
"""
