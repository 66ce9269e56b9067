import jax
import jax.numpy as jnp


def train():
    step = jax.jit(lambda x, rate: x - rate * jnp.cos(x))
    x = jnp.float32(0.5)
    for number in range(4):
        x = step(x, 0.1 / (number + 1))
    return x
