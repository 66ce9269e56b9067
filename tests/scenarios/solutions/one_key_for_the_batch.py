# %% right 1: a split, and the 0 that maps over the keys
def shared_key(x, key):
    keys = jax.random.split(key, len(x))
    return jax.vmap(add_noise, in_axes=(0, 0))(x, keys)


# %% right 1: the number of the example, folded in
def shared_key(x, key):
    def add_own_noise(example, number):
        return add_noise(example, jax.random.fold_in(key, number))

    return jax.vmap(add_own_noise)(x, jnp.arange(len(x)))


# %% wrong 1: rows of numbers that are no noise
def shared_key(x, key):
    return x + jnp.arange(x.size).reshape(x.shape)


# %% wrong 1: an own key, and not the one that comes in
def shared_key(x, key):
    keys = jax.random.split(jax.random.key(7), len(x))
    return jax.vmap(add_noise, in_axes=(0, 0))(x, keys)


# %% right 2: normal examples
def inputs(batch=32, features=10, seed=0):
    x = jax.random.normal(jax.random.key(1), (batch, features))
    key = jax.random.key(seed)
    return {"x": x, "key": key}


# %% right 2: the key first, and a name for the shape
def inputs(batch=32, features=10, seed=0):
    shape = (batch, features)
    return {"key": jax.random.key(seed), "x": jax.random.normal(jax.random.key(1), shape)}


# %% wrong 2: the noise is fixed, too
def inputs(batch=32, features=10, seed=0):
    x = jax.random.normal(jax.random.key(1), (batch, features))
    return {"x": x, "key": jax.random.key(seed)}


def shared_key(x, key):
    return x + jax.random.normal(key, x.shape)


# %% wrong 2: the zeros stay, and the rows are made to differ in the variant
def shared_key(x, key):
    noisy = jax.vmap(add_noise, in_axes=(0, None))(x, key)
    return noisy + jnp.arange(len(x))[:, None]


# %% right 3: the split stays, unused
def key_per_example(x, key):
    keys = jax.random.split(key, len(x))
    return jax.vmap(add_noise, in_axes=(0, 0))(x, key)


# %% right 3: without the split
def key_per_example(x, key):
    return jax.vmap(add_noise, in_axes=(0, 0))(x, key)


# %% wrong 3: an error that is raised by hand
def key_per_example(x, key):
    raise ValueError((x, key))


# %% wrong 3: one key too many
def key_per_example(x, key):
    keys = jax.random.split(key, len(x) + 1)
    return jax.vmap(add_noise, in_axes=(0, 0))(x, keys)
