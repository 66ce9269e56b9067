# %% right 1: a split in three
def chain(key, steps):
    numbers = []
    for _ in range(steps):
        key, first, second = jax.random.split(key, 3)
        numbers.append(jax.random.normal(first))
        numbers.append(jax.random.normal(second))
    return jnp.stack(numbers)


# %% right 1: two splits in each iteration
def chain(key, steps):
    numbers = []
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        key, other = jax.random.split(key)
        numbers.append(jnp.stack([jax.random.normal(subkey), jax.random.normal(other)]))
    return jnp.stack(numbers)


# %% right 1: the subkey is split again
def chain(key, steps):
    first, second = [], []
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        one, two = jax.random.split(subkey)
        first.append(jax.random.normal(one))
        second.append(jax.random.normal(two))
    return jnp.stack(first), jnp.stack(second)


# %% wrong 1: nothing changed
def chain(key, steps):
    numbers = []
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        numbers.append(jax.random.normal(subkey))
    return jnp.stack(numbers)


# %% wrong 1: twice from one key
def chain(key, steps):
    numbers = []
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        numbers += [jax.random.normal(subkey), jax.random.normal(subkey)]
    return jnp.stack(numbers)


# %% wrong 1: one number more, at the end
def chain(key, steps):
    numbers = []
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        numbers.append(jax.random.normal(subkey))
    return jnp.stack([*numbers, jax.random.normal(key)])


# %% wrong 1: the second number is made from the first
def chain(key, steps):
    numbers = []
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        number = jax.random.normal(subkey)
        numbers += [number, number + 1]
    return jnp.stack(numbers)


# %% wrong 1: numbers from NumPy
import numpy as np


def chain(key, steps):
    return np.random.default_rng(0).normal(size=2 * steps)


# %% wrong 1: an own key, and not the one that comes in
def chain(key, steps):
    keys = jax.random.split(jax.random.key(7), 2 * steps)
    return jnp.stack([jax.random.normal(each) for each in keys])


# %% right 2: three names
def one_split(key):
    first, second, third = jax.random.split(key, 3)
    return jnp.stack([jax.random.normal(first), jax.random.normal(second), jax.random.normal(third)])


# %% right 2: under vmap
def one_split(key):
    return jax.vmap(jax.random.normal)(jax.random.split(key, 3))


# %% wrong 2: nothing changed
def one_split(key):
    new_key, subkey = jax.random.split(key)
    return jnp.stack([jax.random.normal(subkey), jax.random.normal(new_key)])


# %% wrong 2: a second split
def one_split(key):
    new_key, subkey = jax.random.split(key)
    third, fourth = jax.random.split(new_key)
    return jnp.stack([jax.random.normal(subkey), jax.random.normal(third), jax.random.normal(fourth)])


# %% wrong 2: three draws from one child
def one_split(key):
    first, second, third = jax.random.split(key, 3)
    return jnp.stack([jax.random.normal(first), jax.random.normal(first), jax.random.normal(first)])


# %% wrong 2: numbers that are not drawn
def one_split(key):
    jax.random.split(key, 3)
    return jnp.arange(3.0)


# %% wrong 2: an own key, and not the one that comes in
def one_split(key):
    return jnp.stack([jax.random.normal(each) for each in jax.random.split(jax.random.key(7), 3)])
