"""A type that is asked for, what the fix makes of it, and a type that is there."""

import jax.numpy as jnp

# -- programs ----------------------------------------------------------------------------------------


def float64():
    # fixed "return jnp.ones(3, dtype=jnp.float32)"
    return jnp.ones(3, dtype=jnp.float64)  # warning: silent-cast


def int32():
    # in full
    return jnp.full((3,), 200, jnp.uint8).astype(jnp.int32) * 2
