import jax
import jax.numpy as jnp


def run():
    key = jax.random.key(0)

    def noisy(x, key):
        return x + jax.random.normal(key)

    return jax.vmap(noisy)(jnp.zeros(4), jax.random.split(key, 4))
