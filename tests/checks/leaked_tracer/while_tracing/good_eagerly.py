import jax.numpy as jnp

history = []


def f(x):
    history.append(x * 2)
    return x


def run():
    return f(jnp.ones(3))
