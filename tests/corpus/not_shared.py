"""Noise that is declared as shared on purpose."""

import jax
import jax.numpy as jnp

# -- programs -------------------------------------------------------------------------------------


def a_key_each():  # note: not-shared
    # scenario.toml: shared = "on purpose"
    # no fix
    return jax.vmap(jax.random.normal)(jax.random.split(jax.random.key(0), 3))


def masked(x, key):
    return jnp.where(jax.random.bernoulli(key, 0.5, x.shape), x, 0.0)  # note: shared-noise


def one_mask_for_all():
    # scenario.toml: shared = "on purpose"
    # in full
    return jax.vmap(masked, in_axes=(0, None))(jnp.ones((4, 3)), jax.random.key(0))
