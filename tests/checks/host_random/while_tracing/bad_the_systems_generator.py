import random

import jax

system = random.SystemRandom()


@jax.jit
def f(x):
    return x * system.random()  # bug: host-random


def run():
    return f(1.0)
