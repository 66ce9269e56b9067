import jax
import jax.numpy as jnp
import numpy as np


def loss(w, x):
    mask = np.random.rand(*x.shape) < 0.5  # bug: host-random
    return jnp.sum((w * x * mask) ** 2)


step = jax.jit(jax.grad(loss))


def run():
    np.random.seed(0)
    return step(1.0, jnp.arange(8.0))
