"""Checks of values that JAX accepts silently: out-of-bounds indices, NaN and inf, lossy casts.

A run is watched where all its operations pass by. NumPy looks at single operations; a look into a jit computes no more
than the indices and whole numbers of the user's lines, and what is wrong there is reported if an output changes when
it is replaced. NaN is searched for operation by operation once an output has some, and followed until it comes out.
"""
