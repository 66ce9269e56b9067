import jax
import jax.numpy as jnp


class Basis:
    def __init__(self):
        self._matrix = None

    @property
    def matrix(self):
        if self._matrix is None:
            self._matrix = jnp.eye(3)  # bug: leaked-tracer
        return self._matrix


basis = Basis()


@jax.jit
def f(x):
    return x @ basis.matrix


def run():
    return f(jnp.ones(3))
