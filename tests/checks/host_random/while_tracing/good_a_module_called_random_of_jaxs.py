import random

import jax
from jax import random


@jax.jit
def f(key):
    a, b = random.split(key)
    return random.normal(a) + random.uniform(b)


def run():
    return f(random.key(0))
