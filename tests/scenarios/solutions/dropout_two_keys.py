# %% right 1: a split before the first layer
def one_key(x, rate, key):
    first_key, second_key = jax.random.split(key)
    hidden = dropout(x, rate, first_key)
    output = dropout(hidden, rate, second_key)
    return jnp.stack([hidden, output]) != 0


# %% right 1: a split for each layer
def one_key(x, rate, key):
    layers = []
    for _ in range(2):
        key, layer_key = jax.random.split(key)
        x = dropout(x, rate, layer_key)
        layers.append(x != 0)
    return jnp.stack(layers)


# %% wrong 1: the second mask from NumPy
import numpy as np


def one_key(x, rate, key):
    hidden = dropout(x, rate, key)
    keep = np.random.default_rng(0).uniform(size=x.shape) < 0.5
    return jnp.stack([hidden, jnp.where(keep, hidden, 0)]) != 0


# %% wrong 1: another seed for the second layer
def one_key(x, rate, key):
    hidden = dropout(x, rate, key)
    output = dropout(hidden, rate, jax.random.key(7))
    return jnp.stack([hidden, output]) != 0


# %% right 2: a split in three
def two_keys(x, rate, key):
    first_key, second_key, third_key = jax.random.split(key, 3)
    first = dropout(x, rate, first_key)
    second = dropout(first, rate, second_key)
    return jnp.stack([first, second, dropout(second, rate, third_key)]) != 0


# %% right 2: a loop
def two_keys(x, rate, key):
    layers = []
    for layer in range(3):
        x = dropout(x, rate, jax.random.fold_in(key, layer))
        layers.append(x != 0)
    return jnp.stack(layers)


# %% wrong 2: the second key twice
def two_keys(x, rate, key):
    first_key, second_key = jax.random.split(key)
    first = dropout(x, rate, first_key)
    second = dropout(first, rate, second_key)
    return jnp.stack([first, second, dropout(second, rate, second_key)]) != 0


# %% wrong 2: the third row is drawn, and not returned
def two_keys(x, rate, key):
    first_key, second_key, third_key = jax.random.split(key, 3)
    first = dropout(x, rate, first_key)
    second = dropout(first, rate, second_key)
    dropout(second, rate, third_key)
    return jnp.stack([first, second]) != 0
