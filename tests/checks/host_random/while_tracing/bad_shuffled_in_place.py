import random

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    order = list(range(8))
    random.shuffle(order)  # bug: host-random
    return x[jnp.array(order)]


def run():
    return f(jnp.arange(8.0))
