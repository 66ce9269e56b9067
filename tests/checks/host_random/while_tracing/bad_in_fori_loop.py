import jax
import numpy as np


def run():
    return jax.lax.fori_loop(0, 5, lambda i, x: x + np.random.normal(), 0.0)  # bug: host-random
