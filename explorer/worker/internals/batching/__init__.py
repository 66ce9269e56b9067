"""JAX's own batching, observed while it traces a program with vmap in it.

`axes`: the axes of each variable that hold examples. `steps`: the equations that each per-example operation became.
"""
