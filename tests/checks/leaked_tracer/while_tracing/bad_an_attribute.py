import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.last = None

    def __call__(self, x):
        self.last = jnp.sin(x)  # bug: leaked-tracer
        return x


def run():
    return jax.jit(Model())(1.0)
