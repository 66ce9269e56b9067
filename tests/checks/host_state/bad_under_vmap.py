import jax
import jax.numpy as jnp

counter = 0


@jax.jit
def f(x):
    global counter
    counter += 1  # bug: host-state
    return x * counter


def run():
    return jax.vmap(f)(jnp.ones(3))
