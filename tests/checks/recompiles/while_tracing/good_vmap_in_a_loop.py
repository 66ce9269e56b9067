import jax
import jax.numpy as jnp


def run():
    x = jnp.ones(3)
    for _ in range(5):
        x = jax.vmap(lambda y: y + 1)(x)
    return x
