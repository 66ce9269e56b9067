import jax
import jax.numpy as jnp
import numpy as np

cache = {}


def table(n):
    if n not in cache:
        cache[n] = np.arange(n) * 2.0  # note: host-state
    return cache[n]


@jax.jit
def f(x):
    return x + table(x.shape[0])


def run():
    return f(jnp.ones(3)), f(jnp.ones(4)), f(jnp.ones(3))
