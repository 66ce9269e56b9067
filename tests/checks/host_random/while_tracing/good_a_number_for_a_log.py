import random

import jax


@jax.jit
def f(x):
    if random.random() < 2.0:  # note: host-random
        print("traced")
    return x


def run():
    return f(1.0)
