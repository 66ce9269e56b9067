import jax
import jax.numpy as jnp

count = 0


def body(x):
    global count
    count += 1  # bug: host-state
    return x + count


def run():
    f = jax.pmap(body)
    return f(jnp.ones(1)), f(jnp.ones(1))
