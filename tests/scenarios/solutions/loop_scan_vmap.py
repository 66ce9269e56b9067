# %% right 1: the other child is carried
def scan(x, key):
    def step(key, example):
        key, subkey = jax.random.split(key)
        return key, example + jax.random.normal(subkey, example.shape)

    return jax.lax.scan(step, key, x)[1]


# %% right 1: the children the other way round
def scan(x, key):
    def step(key, example):
        children = jax.random.split(key)
        return children[1], example + jax.random.normal(children[0], example.shape)

    _, noisy = jax.lax.scan(step, key, x)
    return noisy


# %% wrong 1: split, and the parent is carried
def scan(x, key):
    def step(key, example):
        subkey, _ = jax.random.split(key)
        return key, example + jax.random.normal(subkey, example.shape)

    return jax.lax.scan(step, key, x)[1]


# %% wrong 1: one big draw
def scan(x, key):
    return x + jax.random.normal(key, x.shape)


# %% right 2: a split, and the keys are mapped
def vmapped(x, key):
    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jax.random.split(key, len(x)))


# %% right 2: the number of the example, folded in
def vmapped(x, key):
    def add_noise(example, number):
        return example + jax.random.normal(jax.random.fold_in(key, number), example.shape)

    return jax.vmap(add_noise)(x, jnp.arange(len(x)))


# %% wrong 2: noise from NumPy
import numpy as np


def vmapped(x, key):
    return x + np.random.default_rng(0).normal(size=x.shape)


# %% wrong 2: an own key, and not the one that comes in
def vmapped(x, key):
    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jax.random.split(jax.random.key(7), len(x)))
