import jax
import jax.numpy as jnp
import numpy as np

running = np.zeros(3)


@jax.jit
def normalise(x):
    running[:] = 0.9 * running + 0.1  # bug: host-state
    return x - running


def run():
    return normalise(jnp.ones(3)), normalise(jnp.ones(3))
