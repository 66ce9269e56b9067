import time

import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    return x * 0.9


def run():
    started, x = time.monotonic(), jnp.float32(1.0)
    while time.monotonic() - started < 0.001:
        x = step(x)
    return step(x)
