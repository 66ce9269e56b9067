# %% right 1: the first split keeps one child
def one_and_two(key, size):
    key, weights_key = jax.random.split(key)
    weights = jax.random.normal(weights_key, (size,))
    key, mask_key = jax.random.split(key)
    mask = jax.random.normal(mask_key, (size,))
    data = jax.random.normal(key, (size,))
    return jnp.stack([weights, mask, data])


# %% right 1: the other child is kept
def one_and_two(key, size):
    weights_key, key = jax.random.split(key, 2)
    weights = jax.random.normal(weights_key, (size,))
    key, mask_key = jax.random.split(key)
    mask = jax.random.normal(mask_key, (size,))
    data = jax.random.normal(key, (size,))
    return jnp.stack([weights, mask, data])


# %% wrong 1: one split for all
def one_and_two(key, size):
    return jnp.stack([jax.random.normal(each, (size,)) for each in jax.random.split(key, 3)])


# %% wrong 1: another child of a key that is split again
def one_and_two(key, size):
    weights_key = jax.random.split(key, 3)[2]
    weights = jax.random.normal(weights_key, (size,))
    key, mask_key = jax.random.split(key)
    mask = jax.random.normal(mask_key, (size,))
    data = jax.random.normal(key, (size,))
    return jnp.stack([weights, mask, data])


# %% right 2: around the whole body
def one_and_two(key, size):
    with jax.threefry_partitionable(False):
        weights_key = jax.random.split(key, 1)[0]
        weights = jax.random.normal(weights_key, (size,))
        key, mask_key = jax.random.split(key)
        mask = jax.random.normal(mask_key, (size,))
        data = jax.random.normal(key, (size,))
        return jnp.stack([weights, mask, data])


# %% right 2: with the return outside
def one_and_two(key, size):
    with jax.threefry_partitionable(False):
        weights_key = jax.random.split(key, 1)[0]
        weights = jax.random.normal(weights_key, (size,))
        key, mask_key = jax.random.split(key)
        mask, data = jax.random.normal(mask_key, (size,)), jax.random.normal(key, (size,))
    return jnp.stack([weights, mask, data])


# %% wrong 2: True, which is the default
def one_and_two(key, size):
    with jax.threefry_partitionable(True):
        weights_key = jax.random.split(key, 1)[0]
        weights = jax.random.normal(weights_key, (size,))
        key, mask_key = jax.random.split(key)
        mask = jax.random.normal(mask_key, (size,))
        data = jax.random.normal(key, (size,))
        return jnp.stack([weights, mask, data])


# %% wrong 2: the program that was right before
def one_and_two(key, size):
    with jax.threefry_partitionable(False):
        return three_at_once(key, size)
