import jax
import jax.numpy as jnp


def run():
    key = jax.random.key(0)

    def noisy(x):
        return x + jax.random.normal(key)  # bug: shared-noise

    return jax.vmap(noisy)(jnp.zeros(4))
