import jax
import jax.numpy as jnp

losses = []


def loss(w):
    return (w**2).sum()


def run():
    w = jnp.ones(2)
    for _ in range(3):
        value, g = jax.value_and_grad(loss)(w)
        losses.append(value)
        w = w - 0.1 * g
    return w
