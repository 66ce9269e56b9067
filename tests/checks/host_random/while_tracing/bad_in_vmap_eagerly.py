import jax
import jax.numpy as jnp
import numpy as np


def run():
    return jax.vmap(lambda x: x + np.random.normal())(jnp.zeros(3))  # bug: host-random
