import time

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    return jnp.sin(x)


def run():
    start = time.perf_counter()
    y = jax.block_until_ready(f(1.0))
    return y, time.perf_counter() - start
