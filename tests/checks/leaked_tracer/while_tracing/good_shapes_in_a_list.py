import jax
import jax.numpy as jnp

shapes = []


@jax.jit
def f(x):
    shapes.append(x.shape)  # note: host-state
    return x


def run():
    return f(jnp.ones(3))
