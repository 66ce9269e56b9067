import jax
import numpy as np


@jax.jit
def f(x):
    return x.sum()


def run():
    return [f(np.pad(np.ones(n), (0, (8 if n <= 8 else 16) - n))) for n in range(1, 16)]
