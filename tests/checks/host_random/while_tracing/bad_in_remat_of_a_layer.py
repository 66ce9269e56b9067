import jax
import jax.numpy as jnp
import numpy as np


@jax.checkpoint
def block(x):
    return jnp.tanh(x) * np.random.uniform(0.5, 1.0)  # bug: host-random


def run():
    return jax.jit(jax.grad(lambda x: block(block(x))))(1.0)
