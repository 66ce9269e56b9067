import jax
import jax.numpy as jnp


class Table:
    def __init__(self):
        self.rows = jnp.arange(4.0)


table = Table()


@jax.jit
def f(i):
    return table.rows[i]


def run():
    return f(2)
