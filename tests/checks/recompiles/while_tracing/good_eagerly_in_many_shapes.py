import jax.numpy as jnp


def run():
    return [jnp.ones(n).sum() for n in range(1, 9)]
