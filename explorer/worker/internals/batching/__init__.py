"""JAX's own batching, observed while it traces a program with vmap in it.

`axes`: which axes of each variable hold examples. `steps`: which equations each operation of one example became.
"""
