import jax
import numpy as np

rng = np.random.default_rng(0)


@jax.jit
def f(x):
    return x * rng.uniform()  # bug: host-random


def run():
    return f(1.0)
