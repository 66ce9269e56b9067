# %% right 1: a split
def same_key_twice(key):
    first_key, second_key = jax.random.split(key)
    return jnp.stack([jax.random.normal(first_key), jax.random.normal(second_key)])


# %% right 1: two children by fold_in
def same_key_twice(key):
    first = jax.random.normal(jax.random.fold_in(key, 0))
    second = jax.random.normal(jax.random.fold_in(key, 1))
    return jnp.stack([first, second])


# %% right 1: under vmap
def same_key_twice(key):
    return jax.vmap(jax.random.normal)(jax.random.split(key))


# %% wrong 1: nothing changed
def same_key_twice(key):
    first = jax.random.normal(key)
    second = jax.random.normal(key)
    return jnp.stack([first, second])


# %% wrong 1: the second number is made from the first
def same_key_twice(key):
    first = jax.random.normal(key)
    second = first + 1
    return jnp.stack([first, second])


# %% wrong 1: the first is drawn from the parent
def same_key_twice(key):
    _, second_key = jax.random.split(key)
    return jnp.stack([jax.random.normal(key), jax.random.normal(second_key)])


# %% wrong 1: another seed for the second
def same_key_twice(key):
    return jnp.stack([jax.random.normal(key), jax.random.normal(jax.random.key(7))])


# %% wrong 1: numbers from NumPy
def same_key_twice(key):
    return np.random.default_rng(0).normal(size=2)


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


# %% right 2: three children by fold_in
def split_first(key):
    return jnp.stack([jax.random.normal(jax.random.fold_in(key, number)) for number in range(3)])


# %% wrong 2: nothing changed
def split_first(key):
    first_key, second_key = jax.random.split(key)
    return jnp.stack([jax.random.normal(first_key), jax.random.normal(second_key)])


# %% wrong 2: one key twice
def split_first(key):
    first_key, second_key = jax.random.split(key)
    first, second = jax.random.normal(first_key), jax.random.normal(second_key)
    return jnp.stack([first, second, jax.random.uniform(second_key)])


# %% wrong 2: the third is the sum of the others
def split_first(key):
    first_key, second_key = jax.random.split(key)
    first, second = jax.random.normal(first_key), jax.random.normal(second_key)
    return jnp.stack([first, second, first + second])


# %% wrong 2: the third from NumPy
def split_first(key):
    first_key, second_key = jax.random.split(key)
    return jnp.stack([jax.random.normal(first_key), jax.random.normal(second_key), np.random.rand()])


# %% wrong 2: an own key, and not the one that comes in
def split_first(key):
    keys = jax.random.split(jax.random.key(7), 3)
    return jnp.stack([jax.random.normal(each) for each in keys])
