import uuid

import jax


@jax.jit
def f(x):
    return x + uuid.uuid4().int % 1000  # bug: host-random


def run():
    return f(1)
