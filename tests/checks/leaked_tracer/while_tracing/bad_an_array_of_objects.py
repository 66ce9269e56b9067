import jax
import numpy as np

slots = np.empty(2, dtype=object)


@jax.jit
def f(x):
    slots[0] = x  # bug: leaked-tracer
    return x


def run():
    return f(1.0)
