import jax
import jax.numpy as jnp


def fit(w, data):
    for x in data:

        @jax.jit  # warning: recompiles
        @jax.value_and_grad
        def loss(w):
            return ((w - x) ** 2).sum()

        _, g = loss(w)
        w = w - 0.1 * g
    return w


def run():
    return fit(jnp.zeros(2), [jnp.ones(2) * i for i in range(5)])
