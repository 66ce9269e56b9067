import jax
import jax.numpy as jnp
import numpy as np


def fourier_features(n, seed=0):
    return np.random.default_rng(seed).normal(size=(2, n))


@jax.jit
def f(x):
    return jnp.sin(x @ fourier_features(8))


def run():
    return f(jnp.ones((4, 2)))
