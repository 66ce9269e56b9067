import jax
import jax.numpy as jnp
import numpy as np


def noisy(x):
    return x * np.random.normal()  # bug: host-random


def run():
    return jax.vmap(jax.grad(noisy))(jnp.ones(3))
