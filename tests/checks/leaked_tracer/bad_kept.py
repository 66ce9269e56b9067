import jax
import jax.numpy as jnp

kept = []


@jax.jit
def step(x):
    kept.append(x * 2)  # bug: leaked-tracer
    return x + 1


def run():
    return step(jnp.ones(3))
