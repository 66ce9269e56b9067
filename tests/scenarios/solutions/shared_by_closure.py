# %% right 1: the key as an argument
def closed_over(x, key):
    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jax.random.split(key, len(x)))


# %% right 1: a Python loop
def closed_over(x, key):
    keys = jax.random.split(key, len(x))
    return jnp.stack([example + jax.random.normal(own, example.shape) for example, own in zip(x, keys, strict=True)])


# %% wrong 1: a split inside
def closed_over(x, key):
    def add_noise(example):
        return example + jax.random.normal(jax.random.split(key)[0], example.shape)

    return jax.vmap(add_noise)(x)


# %% wrong 1: an own key, and not the one that comes in
def closed_over(x, key):
    return x + jax.random.normal(jax.random.key(7), x.shape)


# %% right 2: a split
def repeated_keys(x, key):
    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jax.random.split(key, len(x)))


# %% right 2: a number folded into each of the repeated keys
def repeated_keys(x, key):
    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    keys = jax.vmap(jax.random.fold_in)(jnp.repeat(key, len(x)), jnp.arange(len(x)))
    return jax.vmap(add_noise)(x, keys)


# %% wrong 2: one child, repeated
def repeated_keys(x, key):
    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jnp.repeat(jax.random.split(key)[0], len(x)))


# %% wrong 2: noise from NumPy
import numpy as np


def repeated_keys(x, key):
    return x + np.random.default_rng(0).normal(size=x.shape)
