import jax
import jax.numpy as jnp


def run():
    x = jnp.ones((1, 2))
    for _ in range(4):
        x = jax.pmap(lambda y: y * 2)(x)  # warning: recompiles
    return x
