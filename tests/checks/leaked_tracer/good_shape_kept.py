import jax
import jax.numpy as jnp

shapes = []


@jax.jit
def step(x):
    shapes.append(x.shape)  # note: host-state
    return x + 1


def run():
    return step(jnp.ones(3))
