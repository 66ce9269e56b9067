import jax
import numpy as np


@jax.custom_jvp
def f(x):
    return x


@f.defjvp
def rule(primals, tangents):
    return f(primals[0]), tangents[0] * np.random.normal()  # bug: host-random


def run():
    return jax.jit(jax.grad(f))(1.0)
