import datetime

import jax


@jax.jit
def f(x):
    return x + datetime.datetime.now().microsecond  # bug: host-random


def run():
    return f(1)
