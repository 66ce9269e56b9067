import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def perturb(params):
    return jax.tree.map(lambda p: p + 0.01 * np.random.standard_normal(p.shape), params)  # bug: host-random


def run():
    return perturb({"w": jnp.ones((2, 2)), "b": jnp.zeros(2)})
