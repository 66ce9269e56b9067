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


# %% wrong 1: twice from one key
def chain(key, steps):
    numbers = []
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        numbers += [jax.random.normal(subkey), jax.random.normal(subkey)]
    return jnp.stack(numbers)


# %% wrong 1: numbers from NumPy
import numpy as np


def chain(key, steps):
    return np.random.default_rng(0).normal(size=2 * steps)


# %% right 2: three names
def one_split(key):
    first, second, third = jax.random.split(key, 3)
    return jnp.stack([jax.random.normal(first), jax.random.normal(second), jax.random.normal(third)])


# %% right 2: under vmap
def one_split(key):
    return jax.vmap(jax.random.normal)(jax.random.split(key, 3))


# %% wrong 2: three draws from one child
def one_split(key):
    first, second, third = jax.random.split(key, 3)
    return jnp.stack([jax.random.normal(first), jax.random.normal(first), jax.random.normal(first)])


# %% wrong 2: numbers that are not drawn
def one_split(key):
    jax.random.split(key, 3)
    return jnp.arange(3.0)
