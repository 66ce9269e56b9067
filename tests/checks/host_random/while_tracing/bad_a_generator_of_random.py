import random

import jax

dice = random.Random(5)


@jax.jit
def f(x):
    return x * dice.randint(1, 1000)  # bug: host-random


def run():
    return f(1.0)
