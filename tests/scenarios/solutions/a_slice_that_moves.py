# %% right 1: roll and where
@jax.jit
def update(cache, row, position):
    is_full = position >= len(cache)
    cache = jnp.where(is_full, jnp.roll(cache, -1, axis=0), cache)
    return jax.lax.dynamic_update_slice(cache, row, (position, 0))


# %% right 1: a cond
@jax.jit
def update(cache, row, position):
    def move(cache):
        return jnp.concatenate([cache[1:], row])

    def write(cache):
        return cache.at[position].set(row[0])

    return jax.lax.cond(position >= len(cache), move, write, cache)


# %% wrong 1: the row is dropped
@jax.jit
def update(cache, row, position):
    return cache.at[position].set(row[0])
