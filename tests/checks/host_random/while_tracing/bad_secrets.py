import secrets

import jax


@jax.jit
def f(x):
    return x + secrets.randbelow(10**6)  # bug: host-random


def run():
    return f(1)
