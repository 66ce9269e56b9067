import functools

import jax
import jax.numpy as jnp
import numpy as np


def with_noise(function):
    @functools.wraps(function)
    def wrapped(x):
        return function(x) + np.random.normal(0, 0.1, x.shape)  # bug: host-random

    return wrapped


@jax.jit
@with_noise
def f(x):
    return x * 2


def run():
    return f(jnp.ones(3))
