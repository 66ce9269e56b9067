import time

import jax


@jax.jit
def f(x):
    return x + float(time.strftime("%H%M"))  # bug: host-random


def run():
    return f(1.0)
