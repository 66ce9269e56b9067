import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x, noise):
    return x + noise


def run():
    return [f(jnp.ones(3), np.random.normal(size=3).astype("float32")) for _ in range(3)]
