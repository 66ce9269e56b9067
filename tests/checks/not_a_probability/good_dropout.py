import jax
import jax.numpy as jnp


def dropped():
    rate = 0.2
    keep = jax.random.bernoulli(jax.random.key(0), 1.0 - rate, (5,))
    return jnp.where(keep, 1.0 / (1.0 - rate), 0.0)
