import jax
import jax.numpy as jnp


def run():
    key = jax.random.key(0)
    x = jnp.zeros(3)
    for _ in range(3):
        key, subkey = jax.random.split(key)
        x += jax.random.normal(subkey, (3,))
    return x
