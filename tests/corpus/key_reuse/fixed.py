"""Keys that are used again, what the fixes make of them, and keys that are used once."""

import jax
import jax.numpy as jnp

# -- programs -------------------------------------------------------------------------------------


def in_a_loop():
    # fixed "key, subkey = jax.random.split(key)", "x += jax.random.normal(subkey, (3,))"
    key = jax.random.key(0)
    x = jnp.zeros(3)
    for _ in range(3):
        x += jax.random.normal(key, (3,))  # bug: key-reuse
    return x


def parent_and_child():
    # fixed "key, subkey = jax.random.split(key)", "first = jax.random.normal(subkey, (3,))"
    key = jax.random.key(0)
    first = jax.random.normal(key, (3,))  # bug: key-reuse
    a, b = jax.random.split(key)
    return first, jax.random.normal(a, (3,)), jax.random.normal(b, (3,))


def in_a_loop_that_is_sound():
    # in full
    key = jax.random.key(0)
    x = jnp.zeros(3)
    for i in range(3):
        x += jax.random.normal(jax.random.fold_in(key, i), (3,))
    return x
