# %% right 1: a split before the first layer
def one_key(x, rate, key):
    first_key, second_key = jax.random.split(key)
    hidden = dropout(x, rate, first_key)
    output = dropout(hidden, rate, second_key)
    return jnp.stack([hidden, output]) != 0


# %% right 1: the number of the layer, folded in
def one_key(x, rate, key):
    hidden = dropout(x, rate, jax.random.fold_in(key, 1))
    output = dropout(hidden, rate, jax.random.fold_in(key, 2))
    return jnp.stack([hidden, output]) != 0


# %% right 1: a split for each layer
def one_key(x, rate, key):
    layers = []
    for _ in range(2):
        key, layer_key = jax.random.split(key)
        x = dropout(x, rate, layer_key)
        layers.append(x != 0)
    return jnp.stack(layers)


# %% wrong 1: nothing changed
def one_key(x, rate, key):
    hidden = dropout(x, rate, key)
    output = dropout(hidden, rate, key)
    return jnp.stack([hidden, output]) != 0


# %% wrong 1: the first layer draws from the parent
def one_key(x, rate, key):
    hidden = dropout(x, rate, key)
    _, second_key = jax.random.split(key)
    return jnp.stack([hidden, dropout(hidden, rate, second_key)]) != 0


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


# %% wrong 1: the second mask is half of the first
def one_key(x, rate, key):
    hidden = dropout(x, rate, key)
    return jnp.stack([hidden, hidden * (jnp.arange(len(x)) % 2)]) != 0


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


# %% wrong 2: nothing changed
def two_keys(x, rate, key):
    first_key, second_key = jax.random.split(key)
    hidden = dropout(x, rate, first_key)
    output = dropout(hidden, rate, second_key)
    return jnp.stack([hidden, output]) != 0


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


# %% wrong 2: another seed for the third layer
def two_keys(x, rate, key):
    first_key, second_key = jax.random.split(key)
    first = dropout(x, rate, first_key)
    second = dropout(first, rate, second_key)
    return jnp.stack([first, second, dropout(second, rate, jax.random.key(7))]) != 0


# %% wrong 2: a third row without a draw
def two_keys(x, rate, key):
    first_key, second_key = jax.random.split(key)
    first = dropout(x, rate, first_key)
    second = dropout(first, rate, second_key)
    return jnp.stack([first, second, jnp.zeros_like(x)]) != 0
