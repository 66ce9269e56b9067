# %% right 1: one draw
def rbg(seed, batch):
    key = jax.random.key(seed, impl="rbg")
    return jnp.abs(jax.random.normal(key, (batch, 3)) - jax.random.normal(key, (batch, 3))).max(axis=1)


# %% right 1: in rows
def rows(seed, batch, impl):
    key = jax.random.key(seed, impl=impl)
    drawn = jax.random.normal(key, (batch, 3))
    return drawn, jnp.stack(list(drawn))


# %% wrong 1: threefry again
def rbg(seed, batch):
    mapped, one_by_one = rows(seed, batch, "threefry2x32")
    return jnp.abs(mapped - one_by_one).max(axis=1)


# %% wrong 1: zeros
def rbg(seed, batch):
    return jnp.zeros(batch)
