import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(x):
    return x + np.random.normal(size=x.shape)  # bug: host-random


def run():
    return step(jnp.ones(3))
