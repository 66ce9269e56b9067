import jax
import jax.numpy as jnp


@jax.jit
def f(xs):
    total = 0.0

    def add(x):
        nonlocal total
        total = total + x

    for i in range(3):
        add(xs[i])
    return total


def run():
    return f(jnp.ones(3))
