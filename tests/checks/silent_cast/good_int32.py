import jax.numpy as jnp


def run():
    return jnp.full((3,), 200, jnp.uint8).astype(jnp.int32) * 2
