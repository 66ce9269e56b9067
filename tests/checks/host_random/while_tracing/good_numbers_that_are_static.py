import random
from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def f(x, n):
    return x * n


def run():
    return f(1.0, random.randint(1, 3))
