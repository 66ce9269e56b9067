import jax
from jax import random as jr


@jax.jit
def f(key):
    a, b = jr.split(key)
    return jr.normal(a) + jr.uniform(b, (3,)).sum()


def run():
    return f(jr.key(0))
