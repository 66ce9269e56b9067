import random

import jax


@jax.jit
def f(x):
    return x + sum(random.random() for _ in range(4))  # bug: host-random


def run():
    return f(1.0)
