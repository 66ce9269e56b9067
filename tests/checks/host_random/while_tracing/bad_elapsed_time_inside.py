import time

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    start = time.perf_counter()  # bug: host-random
    y = jnp.sin(x)
    return y, time.perf_counter() - start  # bug: host-random


def run():
    return f(1.0)
