# %% right 1: zeros
def inputs(chains=8, steps=100, seed=0):
    return {"start": jnp.zeros(chains), "key": jax.random.key(seed), "steps": steps}


# %% right 1: another point
def inputs(chains=8, steps=100, seed=0):
    return {"start": jnp.full(chains, -4.0), "key": jax.random.key(seed), "steps": steps}


# %% wrong 1: a single chain
def inputs(chains=8, steps=100, seed=0):
    return {"start": jnp.zeros(1), "key": jax.random.key(seed), "steps": steps}


# %% wrong 1: one path, copied
def one_key(start, key, steps):
    path = walk(steps, start[0], key)
    return told_by(jnp.broadcast_to(path, (len(start), steps)))


# %% right 2: the number as an argument
def one_key(start, key, steps):
    def numbered(start, number):
        return walk(steps, start, jax.random.fold_in(key, number))

    return told_by(jax.vmap(numbered)(start, jnp.arange(len(start))))


# %% right 2: the index in the batch
def one_key(start, key, steps):
    def numbered(start):
        return walk(steps, start, jax.random.fold_in(key, jax.lax.axis_index("chains")))

    return told_by(jax.vmap(numbered, axis_name="chains")(start))


# %% wrong 2: a split before vmap
def one_key(start, key, steps):
    return told_by(jax.vmap(partial(walk, steps))(start, jax.random.split(key, len(start))))


# %% wrong 2: an own key, and not the one that comes in
def one_key(start, key, steps):
    def numbered(start, number):
        return walk(steps, start, jax.random.fold_in(jax.random.key(7), number))

    return told_by(jax.vmap(numbered)(start, jnp.arange(len(start))))
