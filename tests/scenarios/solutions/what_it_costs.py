# %% right 1: without the branch
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape)

    return jax.vmap(draw)(x, jax.random.split(key, len(x)))


# %% right 1: one big draw
def noise_of_batch(key, x, shared):
    return jax.random.normal(key, x.shape)


# %% wrong 1: drawn once, and copied
def noise_of_batch(key, x, shared):
    return jnp.broadcast_to(jax.random.normal(key, x.shape[1:]), x.shape)


# %% wrong 1: an own key, and not the one that comes in
def noise_of_batch(key, x, shared):
    own = jax.random.fold_in(jax.random.key(7), jax.random.key_data(key)[1])
    return jax.random.normal(own, x.shape)


# %% right 2: eight keys, repeated
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape)

    return jax.vmap(draw)(x, jnp.repeat(jax.random.split(key, 8), len(x) // 8))


# %% wrong 2: two keys
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape)

    return jax.vmap(draw)(x, jnp.repeat(jax.random.split(key, 2), len(x) // 2))


# %% wrong 2: one key, and quieter noise
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape) / 8**0.5

    return jax.vmap(draw, in_axes=(0, None))(x, key)


# %% right 2: eight draws, each added to eight examples
def noise_of_batch(key, x, shared):
    rows = jax.vmap(lambda key: jax.random.normal(key, x.shape[1:]))(jax.random.split(key, 8))
    return jnp.repeat(rows, len(x) // 8, axis=0)
