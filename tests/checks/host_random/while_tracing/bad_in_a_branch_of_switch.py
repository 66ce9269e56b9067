import random

import jax


def run():
    branches = [lambda x: x, lambda x: x * random.choice([1.0, 2.0, 5.0, 7.0])]  # bug: host-random
    return jax.jit(lambda i, x: jax.lax.switch(i, branches, x))(1, 2.0)
