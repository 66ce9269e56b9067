import jax
import jax.numpy as jnp

table = None


@jax.jit
def f(x):
    global table
    if table is None:
        table = jnp.arange(3.0)  # bug: leaked-tracer
    return x + table


def run():
    return f(jnp.ones(3))
