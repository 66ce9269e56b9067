import jax
import jax.numpy as jnp


def run():
    x = jnp.ones(2)
    for _ in range(5):

        @jax.jit  # warning: recompiles
        def step(y):
            return y + 1

        x = step(x)
    return x
