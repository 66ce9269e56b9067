import time

import jax


@jax.jit
def f(x):
    key = jax.random.key(int(time.time_ns() % 2**31))  # bug: host-random
    return x + jax.random.normal(key)


def run():
    return f(1.0)
