import jax
import jax.numpy as jnp

rows = []


@jax.jit
@jax.vmap
def f(row):
    rows.append(row.sum())  # bug: leaked-tracer
    return row * 2


def run():
    return f(jnp.ones((2, 3)))
