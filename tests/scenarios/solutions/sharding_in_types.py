# %% right 1: the second matrix on every device
def product(by_rows, by_columns):
    return by_columns @ cut(by_rows, None, None)


# %% right 1: the first one
def product(by_rows, by_columns):
    whole = cut(by_columns, None, None)
    return whole @ by_rows


# %% wrong 1: out_sharding
def product(by_rows, by_columns):
    return jnp.matmul(by_columns, by_rows, out_sharding=jax.typeof(by_rows).sharding)


# %% wrong 1: the numbers themselves
def product(by_rows, by_columns):
    return jnp.full((8, 8), 8.0)
