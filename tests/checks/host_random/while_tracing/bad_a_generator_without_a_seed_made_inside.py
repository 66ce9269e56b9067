import jax
import numpy as np


@jax.jit
def f(x):
    return x + np.random.default_rng().normal()  # bug: host-random


def run():
    return f(1.0)
