from functools import partial

import jax
import numpy as np


def augment(rng, x):
    return x * rng.uniform(0.5, 1.5)  # bug: host-random


def run():
    step = jax.jit(partial(augment, np.random.default_rng(1)))
    return step(1.0), step(1.0)
