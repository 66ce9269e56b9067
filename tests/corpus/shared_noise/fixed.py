"""Noise that examples share, what the fix makes of it, and noise that they do not share."""

import jax
import jax.numpy as jnp

# -- programs ----------------------------------------------------------------------------------------


def closed_over():
    # fixed "def noisy(x, key):", "return jax.vmap(noisy)(jnp.zeros(4), jax.random.split(key, 4))"
    key = jax.random.key(0)

    def noisy(x):
        return x + jax.random.normal(key)  # bug: shared-noise

    return jax.vmap(noisy)(jnp.zeros(4))


def noisy(x, key):
    one, two = jax.random.split(key)
    return x + jax.random.normal(one) * jax.random.uniform(two)


def split_inside():
    # in full
    return jax.vmap(noisy)(jnp.zeros(4), jax.random.split(jax.random.key(0), 4))
