import jax
import jax.numpy as jnp


def run():
    x = jnp.ones((3, 2))
    for _ in range(5):
        x = jax.lax.map(lambda row: row * 2, x)  # warning: recompiles
    return x
