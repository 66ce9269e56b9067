# %% right 1: keys of two axes
def key_per_chain(x, key):
    keys = jax.random.split(key, x.shape[:2])
    return jax.vmap(jax.vmap(add_noise))(x, keys)


# %% right 1: a split in the outer vmap
def key_per_chain(x, key):
    def chain(examples, key):
        return jax.vmap(add_noise)(examples, jax.random.split(key, len(examples)))

    return jax.vmap(chain)(x, jax.random.split(key, len(x)))


# %% wrong 1: a key for each example, shared by the chains
def key_per_chain(x, key):
    keys = jax.random.split(key, x.shape[1])
    return jax.vmap(jax.vmap(add_noise), in_axes=(0, None))(x, keys)


# %% wrong 1: noise from NumPy
import numpy as np


def key_per_chain(x, key):
    return x + np.random.default_rng(0).normal(size=x.shape)


# %% right 2: an index
def keys_of_three_axes(x, key):
    keys = jax.random.split(key, (*x.shape[:2], 1))
    return jax.vmap(jax.vmap(add_noise))(x, keys[..., 0])


# %% right 2: in the mapped function
def keys_of_three_axes(x, key):
    keys = jax.random.split(key, (*x.shape[:2], 1))
    return jax.vmap(jax.vmap(lambda example, key: add_noise(example, key[0])))(x, keys)


# %% wrong 2: another split
def keys_of_three_axes(x, key):
    keys = jax.random.split(key, x.shape[:2])
    return jax.vmap(jax.vmap(add_noise))(x, keys)


# %% wrong 2: no noise at all
def keys_of_three_axes(x, key):
    jax.random.split(key, (*x.shape[:2], 1))
    return x
