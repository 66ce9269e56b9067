import jax
import jax.numpy as jnp
import numpy as np


def loss(w, x):
    return jnp.mean((w * x + np.random.normal()) ** 2)  # bug: host-random


def run():
    def step(w, x):
        return w - 0.1 * jax.grad(loss)(w, x), None

    return jax.lax.scan(step, 1.0, jnp.ones((5, 3)))[0]
