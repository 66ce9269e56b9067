# %% right 1: keys of two axes
def key_per_chain(x, key):
    keys = jax.random.split(key, x.shape[:2])
    return jax.vmap(jax.vmap(add_noise))(x, keys)


# %% right 1: a split in the outer vmap
def key_per_chain(x, key):
    def chain(examples, key):
        return jax.vmap(add_noise)(examples, jax.random.split(key, len(examples)))

    return jax.vmap(chain)(x, jax.random.split(key, len(x)))


# %% right 1: one axis of all examples
def key_per_chain(x, key):
    keys = jax.random.split(key, x.shape[0] * x.shape[1]).reshape(x.shape[:2])
    return jax.vmap(jax.vmap(add_noise))(x, keys)


# %% wrong 1: nothing changed
def key_per_chain(x, key):
    keys = jax.random.split(key, len(x))
    over_examples = jax.vmap(add_noise, in_axes=(0, None))
    return jax.vmap(over_examples)(x, keys)


# %% wrong 1: a key for each example, shared by the chains
def key_per_chain(x, key):
    keys = jax.random.split(key, x.shape[1])
    return jax.vmap(jax.vmap(add_noise), in_axes=(0, None))(x, keys)


# %% wrong 1: noise from NumPy
import numpy as np


def key_per_chain(x, key):
    return x + np.random.default_rng(0).normal(size=x.shape)


# %% wrong 1: an own key, and not the one that comes in
def key_per_chain(x, key):
    return jax.vmap(jax.vmap(add_noise))(x, jax.random.split(jax.random.key(7), x.shape[:2]))


# %% wrong 1: the sizes on the screen
def key_per_chain(x, key):
    return jax.vmap(jax.vmap(add_noise))(jnp.zeros((4, 32, 6)), jax.random.split(key, (4, 32)))


# %% right 2: an index
def keys_of_three_axes(x, key):
    keys = jax.random.split(key, (*x.shape[:2], 1))
    return jax.vmap(jax.vmap(add_noise))(x, keys[..., 0])


# %% right 2: a reshape
def keys_of_three_axes(x, key):
    keys = jax.random.split(key, (*x.shape[:2], 1)).reshape(x.shape[:2])
    return jax.vmap(jax.vmap(add_noise))(x, keys)


# %% right 2: in the mapped function
def keys_of_three_axes(x, key):
    keys = jax.random.split(key, (*x.shape[:2], 1))
    return jax.vmap(jax.vmap(lambda example, key: add_noise(example, key[0])))(x, keys)


# %% wrong 2: nothing changed
def keys_of_three_axes(x, key):
    keys = jax.random.split(key, (*x.shape[:2], 1))
    return jax.vmap(jax.vmap(add_noise))(x, keys)


# %% wrong 2: another split
def keys_of_three_axes(x, key):
    keys = jax.random.split(key, x.shape[:2])
    return jax.vmap(jax.vmap(add_noise))(x, keys)


# %% wrong 2: one key for each chain
def keys_of_three_axes(x, key):
    keys = jax.random.split(key, (*x.shape[:2], 1))
    return jax.vmap(jax.vmap(add_noise, in_axes=(0, None)))(x, keys[:, 0, 0])


# %% wrong 2: no noise at all
def keys_of_three_axes(x, key):
    jax.random.split(key, (*x.shape[:2], 1))
    return x
