import jax
import jax.numpy as jnp
import numpy as np

mask = np.ones(3)


@jax.jit
def f(x):
    return x * mask


def run():
    a = f(jnp.ones(3))
    mask[1] = 0  # bug: host-state
    return a, f(jnp.ones(3))
