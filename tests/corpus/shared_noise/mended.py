"""One key for many examples in modules, closures, batches and bootstraps, and what the fixes write."""

import jax
import jax.numpy as jnp
from jax import random

XS = jnp.ones((3, 2))
DATA = jnp.arange(9.0)


def mean(key, data):
    return data[random.randint(key, data.shape, 0, 9)].mean()


def model(batch, key):
    return batch["x"] + random.normal(key, batch["x"].shape)


def add(x, key):
    return x + random.normal(key)


# -- programs -------------------------------------------------------------------------------------


KEY = random.key(7)


def noisy(scale, x):
    return x + scale * random.normal(KEY, x.shape)  # bug: shared-noise


def a_key_of_the_module_under_a_map_with_parameters():
    # fixed "def noisy(scale, x, KEY):",
    # "return jax.vmap(noisy, in_axes=(None, 0, 0))(0.1, XS, random.split(KEY, len(XS)))"
    return jax.vmap(noisy, in_axes=(None, 0))(0.1, XS)


def noisy(x):
    key = random.key(0)
    return x + random.normal(key, x.shape)  # bug: shared-noise


def a_key_made_inside_of_the_map():
    # fixed "def noisy(x, key):", "return jax.vmap(noisy)(XS, random.split(random.key(0), len(XS)))"
    # in place of "def noisy(x):", "key = random.key(0)", "return jax.vmap(noisy)(XS)"
    return jax.vmap(noisy)(XS)


rng = random.key(0)


@jax.vmap
def noisy(x):
    return x + random.normal(rng, x.shape)  # bug: shared-noise


def a_map_of_a_decorated_function():
    # fixed "def noisy(x, rng):", "return noisy(XS, random.split(rng, len(XS)))"
    return noisy(XS)


def a_batch_that_is_a_dict():  # bug: shared-noise
    # fixed "return jax.vmap(model, (0, 0))(batch, random.split(random.key(0), jax.tree.leaves(batch)[0].shape[0]))"
    batch = {"x": XS, "y": jnp.ones(3)}
    return jax.vmap(model, (0, None))(batch, random.key(0))


def bootstrap_by_a_stack():  # bug: shared-noise
    # fixed "keys = random.split(key, 50)"
    key = random.key(0)
    keys = jnp.stack([key] * 50)
    return jax.vmap(mean, in_axes=(0, None))(keys, DATA)


def bootstrap_by_repetition():  # bug: shared-noise
    # fixed "keys = random.split(key, 50)"
    key = random.key(0)
    keys = jnp.repeat(key, 50)
    return jax.vmap(mean, in_axes=(0, None))(keys, DATA)


def under_two_maps():
    # fixed "return jax.vmap(jax.vmap(lambda row, key: row + random.normal(key)))(x, random.split(key, x.shape[:2]))"
    key, x = random.key(0), jnp.zeros((2, 3, 4))
    return jax.vmap(jax.vmap(lambda row: row + random.normal(key)))(x)  # bug: shared-noise


def a_key_that_is_not_mapped():  # bug: shared-noise
    # fixed "return jax.vmap(add, in_axes=(0, 0))(x, random.split(key, len(x)))"
    x, key = jnp.ones(3), random.key(0)
    return jax.vmap(add, in_axes=(0, None))(x, key)


def a_lambda_that_closes_over_it():
    # fixed "return jax.vmap(lambda each, key: each + random.normal(key))(x, random.split(key, len(x)))"
    x, key = jnp.ones(3), random.key(0)
    return jax.vmap(lambda each: each + random.normal(key))(x)  # bug: shared-noise
