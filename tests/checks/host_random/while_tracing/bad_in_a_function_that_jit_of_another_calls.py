import jax
import numpy as np


@jax.jit
def inner(x):
    return x + np.random.normal()  # bug: host-random


@jax.jit
def outer(x):
    return inner(x) * 2


def run():
    return outer(1.0)
