import jax
import jax.numpy as jnp


def run():
    history = []

    def loss(w):
        value = (w**2).sum()
        history.append(value)  # bug: leaked-tracer
        return value

    step = jax.jit(lambda w: w - 0.1 * jax.grad(loss)(w))
    return step(jnp.ones(2))
