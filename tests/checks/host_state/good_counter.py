import jax
import jax.numpy as jnp


@jax.jit
def step(x, count):
    return x * count, count + 1


def run():
    x, count = step(jnp.ones(3), 1)
    return step(x, count)
