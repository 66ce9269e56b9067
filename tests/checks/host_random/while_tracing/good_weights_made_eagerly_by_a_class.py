import jax
import jax.numpy as jnp
import numpy as np


class Linear:
    def __init__(self, n):
        self.w = np.random.normal(size=(n, n)).astype("float32")

    def __call__(self, x):
        return x @ self.w


def run():
    return jax.jit(Linear(3))(jnp.ones(3))
