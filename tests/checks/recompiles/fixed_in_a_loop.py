import jax
import jax.numpy as jnp


def run():
    total = 0.0
    jitted = jax.jit(lambda x: x * 2)
    for _ in range(4):
        total += jitted(jnp.ones(3)).sum()
    return total
