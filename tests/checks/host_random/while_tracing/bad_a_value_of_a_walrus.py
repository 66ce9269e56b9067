import jax
import numpy as np


@jax.jit
def f(x):
    if (u := np.random.random()) > 2:  # bug: host-random
        return x
    return x * u


def run():
    return f(1.0)
