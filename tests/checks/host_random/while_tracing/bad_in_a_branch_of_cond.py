import jax
import numpy as np


@jax.jit
def f(x):
    return jax.lax.cond(
        x > 0,
        lambda y: y + np.random.randn(),  # bug: host-random
        lambda y: y,
        x,
    )


def run():
    return f(1.0)
