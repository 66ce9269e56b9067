from functools import partial

import jax
import jax.numpy as jnp


def add(a, x):  # warning: recompiles
    return x + a


def run():
    x = jnp.ones(2)
    for _ in range(5):
        x = jax.jit(partial(add, 1.0))(x)
    return x
