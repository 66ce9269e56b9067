import jax
import jax.numpy as jnp


def make_step(rate):
    @jax.jit  # warning: recompiles
    def step(w):
        return w - rate * w

    return step


def run():
    w = jnp.float32(1.0)
    for epoch in range(5):
        w = make_step(0.1 / (epoch + 1))(w)
    return w
