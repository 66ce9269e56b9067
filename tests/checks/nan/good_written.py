import jax.numpy as jnp


def run():
    return jnp.where(jnp.array([True, False]), 1.0, jnp.nan)
