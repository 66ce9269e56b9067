import jax
import jax.numpy as jnp


def run():
    key = jax.random.key(0)
    x = jnp.zeros(3)
    for i in range(3):
        x += jax.random.normal(jax.random.fold_in(key, i), (3,))
    return x
