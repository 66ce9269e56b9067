import jax
import numpy as np


@jax.jit
def f(x):
    jax.debug.print("{}", np.random.normal())  # note: host-random
    return x


def run():
    return f(1.0)
