import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def init(x):
    weights = [np.random.normal(size=(3, 3)) for _ in range(2)]  # bug: host-random
    for w in weights:
        x = x @ w
    return x


def run():
    return init(jnp.ones(3))
