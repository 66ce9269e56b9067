import random

import jax


@jax.jit
def f(x):
    if random.random() < 0.5:  # bug: host-random
        return x
    return -x


def run():
    random.seed(3)
    return f(1.0)
