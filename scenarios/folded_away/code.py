"""Products of a table with itself, timed in two ways."""

import jax
import jax.numpy as jnp

TABLE = jnp.linspace(0.0, 1.0, 100 * 100).reshape(100, 100)


def inputs():
    """The same table, as an argument."""
    return {"x": TABLE}


def work(x):
    """Return one number, after some matrix products."""
    for _ in range(8):
        x = jnp.cos(x @ x / len(x))
    return x.sum()


@jax.jit
def closed_over():
    """Read the table from outside."""
    return work(TABLE)


@jax.jit
def as_argument(x):
    """Take the table as an argument."""
    return work(x)


if __name__ == "__main__":
    print("the same number:", jnp.allclose(closed_over(), as_argument(**inputs())))
