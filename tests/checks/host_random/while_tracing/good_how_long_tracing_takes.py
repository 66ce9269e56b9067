import time

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    start = time.time()  # note: host-random
    y = jnp.sin(x)
    print(time.time() - start)  # note: host-random
    return y


def run():
    return f(1.0)
