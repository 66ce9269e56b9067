import jax
import jax.numpy as jnp


def train():
    @jax.jit
    def step(x, rate):
        return x - rate * jnp.cos(x) * jnp.ones(())

    x = 0.5
    for _ in range(4):
        x = step(x, 0.1)  # warning: weak-type-recompile
    return x
