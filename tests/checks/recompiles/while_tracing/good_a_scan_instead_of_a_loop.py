import jax
import jax.numpy as jnp


def run():
    return jax.lax.scan(lambda c, x: (c + x, c), 0.0, jnp.arange(100.0))
