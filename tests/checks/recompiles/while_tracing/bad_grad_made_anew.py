import jax
import jax.numpy as jnp


def loss(w):  # warning: recompiles
    return w**2


def run():
    w = jnp.float32(1.0)
    for _ in range(5):
        w = w - 0.1 * jax.jit(jax.grad(loss))(w)
    return w
