import jax
import numpy.random as npr


@jax.jit
def f(x):
    return x + npr.laplace()  # bug: host-random


def run():
    return f(1.0)
