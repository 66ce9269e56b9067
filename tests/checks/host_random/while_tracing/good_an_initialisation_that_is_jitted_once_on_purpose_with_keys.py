import jax
import jax.numpy as jnp


class Model:
    def __init__(self, key):
        self.w = jax.random.normal(key, (3,))

    def __call__(self, x):
        return self.w @ x


def run():
    model = Model(jax.random.key(0))
    return jax.jit(model.__call__)(jnp.ones(3))
