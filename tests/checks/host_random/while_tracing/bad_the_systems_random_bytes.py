import os

import jax


@jax.jit
def f(x):
    return x + int.from_bytes(os.urandom(2), "big")  # bug: host-random


def run():
    return f(1)
