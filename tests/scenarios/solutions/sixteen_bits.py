# %% right 1: a float32 as the start
def one_by_one(x):
    return jax.lax.fori_loop(0, len(x), lambda i, total: total + x[i].astype(jnp.float32), jnp.float32(0))


# %% right 1: a scan
def one_by_one(x):
    return jax.lax.scan(lambda total, each: (total + each.astype(jnp.float32), None), jnp.float32(0), x)[0]


# %% wrong 1: jnp.sum
def one_by_one(x):
    return jnp.sum(x.astype(jnp.float32))


# %% wrong 1: converted at the end
def one_by_one(x):
    return jax.lax.fori_loop(0, len(x), lambda i, total: total + x[i], jnp.bfloat16(0)).astype(jnp.float32)
