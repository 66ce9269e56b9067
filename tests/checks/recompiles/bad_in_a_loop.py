import jax
import jax.numpy as jnp


def run():
    total = 0.0
    for _ in range(4):
        total += jax.jit(lambda x: x * 2)(jnp.ones(3)).sum()  # warning: recompiles
    return total
