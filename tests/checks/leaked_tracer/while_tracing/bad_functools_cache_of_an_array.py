import functools

import jax
import jax.numpy as jnp


@functools.cache
def table(n):
    return jnp.arange(n) * 2  # bug: leaked-tracer


@jax.jit
def f(x):
    return x + table(x.shape[0])


def run():
    return f(jnp.ones(3))
