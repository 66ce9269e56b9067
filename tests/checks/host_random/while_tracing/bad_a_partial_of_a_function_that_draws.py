from functools import partial

import jax
import numpy as np


def add(scale, x):
    return x + scale * np.random.normal()  # bug: host-random


def run():
    return jax.jit(partial(add, 2.0))(1.0)
