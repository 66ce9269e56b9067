import jax
import numpy as np

data = np.arange(20.0)


@jax.jit  # warning: recompiles
def f(x):
    return (x * 2).sum()


def run():
    return [f(data[:end]) for end in range(1, 8)]
