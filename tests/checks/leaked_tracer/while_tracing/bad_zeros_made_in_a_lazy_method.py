import jax
import jax.numpy as jnp


class Buffers:
    def __init__(self):
        self.zeros = {}

    def get(self, n):
        if n not in self.zeros:
            self.zeros[n] = jnp.zeros(n)  # bug: leaked-tracer
        return self.zeros[n]


buffers = Buffers()


@jax.jit
def pad(x):
    return jnp.concatenate([x, buffers.get(2)])


def run():
    return pad(jnp.ones(2))
