import datetime

import jax


@jax.jit
def f(x):
    return x * (1 + datetime.date.today().toordinal())  # bug: host-random


def run():
    return f(1.0)
