"""What a run does with values that JAX passes over: indices beyond the end, NaN and inf, types that do not hold them.

A run is watched where all its operations pass by. NumPy looks at single operations; a look into a jit computes no more
than the indices and whole numbers of the person's lines, and what is wrong there is told only if an output changes when
it is replaced. NaN is searched for operation by operation once an output has some, and followed until it comes out.
"""
