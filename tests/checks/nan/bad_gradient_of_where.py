import jax
import jax.numpy as jnp


def root(x):
    return jnp.where(x > 0, jnp.sqrt(x), 0.0).sum()  # bug: nan


def run():
    return jax.grad(root)(jnp.array([0.0, 4.0]))
