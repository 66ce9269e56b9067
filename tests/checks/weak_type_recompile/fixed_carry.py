import jax
import jax.numpy as jnp


def train():
    @jax.jit
    def step(x, rate):
        return x - rate * jnp.cos(x) * jnp.ones(())

    x = 0.5
    for _ in range(4):
        x = step(jnp.float32(x), 0.1)
    return x
