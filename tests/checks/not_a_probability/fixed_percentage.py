import jax
import jax.numpy as jnp


def dropped():
    keep = jax.random.bernoulli(jax.random.key(0), 0.8, (5,))
    return jnp.where(keep, 1.0, 0.0)
