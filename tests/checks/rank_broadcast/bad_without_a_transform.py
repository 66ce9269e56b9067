import jax.numpy as jnp


def accuracy():
    labels = jnp.array([0.0, 1.0, 1.0])
    p = jnp.array([[0.1, 0.2], [0.3, 0.9], [0.8, 0.7]]) @ jnp.ones((2, 1))
    return jnp.mean((p > 1.0) == (labels > 0.5))  # warning: rank-broadcast
