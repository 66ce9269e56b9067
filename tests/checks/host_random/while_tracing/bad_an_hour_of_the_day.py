import time

import jax


@jax.jit
def f(x):
    return x * (1 + time.localtime().tm_sec / 7 + time.localtime().tm_min)  # bug: host-random


def run():
    return f(1.0)
