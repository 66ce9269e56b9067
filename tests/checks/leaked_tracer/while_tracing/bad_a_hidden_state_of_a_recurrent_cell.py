import jax
import jax.numpy as jnp


class Cell:
    def __init__(self, n):
        self.h = jnp.zeros(n)

    def __call__(self, x):
        self.h = jnp.tanh(self.h + x)  # bug: leaked-tracer
        return self.h


cell = Cell(3)


def run():
    return jax.jit(cell)(jnp.ones(3))
