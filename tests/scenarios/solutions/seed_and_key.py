# %% right 1: a split
def same_key_twice(key):
    first_key, second_key = jax.random.split(key)
    return jnp.stack([jax.random.normal(first_key), jax.random.normal(second_key)])


# %% right 1: under vmap
def same_key_twice(key):
    return jax.vmap(jax.random.normal)(jax.random.split(key))


# %% wrong 1: the first is drawn from the parent
def same_key_twice(key):
    _, second_key = jax.random.split(key)
    return jnp.stack([jax.random.normal(key), jax.random.normal(second_key)])


# %% wrong 1: numbers that are not drawn
def same_key_twice(key):
    return jnp.arange(2.0)


# %% right 2: a split in three
def split_first(key):
    keys = jax.random.split(key, 3)
    return jnp.stack([jax.random.normal(each) for each in keys])


# %% right 2: a second split of one child
def split_first(key):
    first_key, other = jax.random.split(key)
    second_key, third_key = jax.random.split(other)
    return jnp.stack([jax.random.normal(first_key), jax.random.normal(second_key), jax.random.normal(third_key)])


# %% wrong 2: the third is the sum of the others
def split_first(key):
    first_key, second_key = jax.random.split(key)
    first, second = jax.random.normal(first_key), jax.random.normal(second_key)
    return jnp.stack([first, second, first + second])


# %% wrong 2: an own key, and not the one that comes in
def split_first(key):
    keys = jax.random.split(jax.random.key(7), 3)
    return jnp.stack([jax.random.normal(each) for each in keys])
