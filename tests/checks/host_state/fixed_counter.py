import jax
import jax.numpy as jnp

count = 0


@jax.jit
def step(x, count):
    count += 1
    return x * count, count


def run():
    global count
    result, count = step(jnp.ones(3), count)
    result_2, count = step(jnp.ones(3), count)
    return result, result_2
