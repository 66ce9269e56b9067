import time

import jax


@jax.jit
def f(x):
    key = jax.random.PRNGKey(int(time.time()))  # bug: host-random
    return x + jax.random.normal(key)


def run():
    return f(1.0)
