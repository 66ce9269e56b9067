import jax
import jax.numpy as jnp


def dropped():
    keep = jax.random.bernoulli(jax.random.key(0), 80.0, (5,))  # bug: not-a-probability
    return jnp.where(keep, 1.0, 0.0)
