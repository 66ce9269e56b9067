import jax
import jax.numpy as jnp
import numpy as np

weights = np.ones(2)


def loss(x):
    return jnp.sum(weights * x)


gradient = jax.jit(jax.grad(loss))


def run():
    for _ in range(3):
        weights[:] = weights - 0.1 * np.asarray(gradient(jnp.ones(2)))  # bug: host-state
    return weights
