import functools

import jax


@functools.cache
def make_step(rate):
    return jax.jit(lambda w: w - rate * w)


def run():
    w = 1.0
    for _ in range(6):
        w = make_step(0.1)(w)
    return w
