"""What the compiler knows, it computes once and for all: a benchmark of nothing."""

import jax
import jax.numpy as jnp


def table(n):
    """Return n x n numbers between 0 and 1."""
    return jnp.linspace(0.0, 1.0, n * n).reshape(n, n)


TABLE = table(100)


def inputs(n=100):
    """The same table, as an argument."""
    return {"x": table(n)}


def work(x):
    """Return one number, after some matrix products."""
    for _ in range(8):
        x = jnp.cos(x @ x / len(x))
    return x.sum()


@jax.jit
def closed_over():
    """The table is part of the program, so the result is known before the program runs."""
    return work(TABLE)


@jax.jit
def as_argument(x):
    """The table comes with each call, so the program has work to do."""
    return work(x)


if __name__ == "__main__":
    print("the same number:", jnp.allclose(closed_over(), as_argument(**inputs())))
