import jax
import jax.numpy as jnp


def noisy(x, key):
    one, two = jax.random.split(key)
    return x + jax.random.normal(one) * jax.random.uniform(two)


def run():
    return jax.vmap(noisy)(jnp.zeros(4), jax.random.split(jax.random.key(0), 4))
