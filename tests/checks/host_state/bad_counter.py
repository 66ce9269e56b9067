import jax
import jax.numpy as jnp

count = 0


@jax.jit
def step(x):
    global count
    count += 1  # bug: host-state
    return x * count


def run():
    return step(jnp.ones(3)), step(jnp.ones(3))
