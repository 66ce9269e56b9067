import jax
import jax.numpy as jnp


def run():
    key = jax.random.key(0)
    x = jnp.zeros(3)
    for _ in range(3):
        x += jax.random.normal(key, (3,))  # bug: key-reuse
    return x
