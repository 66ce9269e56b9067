"""A `while` on a traced value, and three ways to write it."""

from functools import partial

import jax


def inputs(x=10, n=20):
    """The start, and how often to count up."""
    return {"x": x, "n": n}


@jax.jit
def plain_while(x, n):
    """Count up with Python's `while`."""
    i = 0
    while i < n:
        i += 1
    return x + i


@jax.jit
def add_one(x):
    """Return the next number."""
    return x + 1


def jit_of_the_body(x, n):
    """Leave the loop to Python, and jit its body."""
    i = 0
    while i < n:
        x = add_one(x)
        i += 1
    return x


@partial(jax.jit, static_argnames="n")
def with_static_argument(x, n):
    """Count up with Python's `while`, with `n` static."""
    i = 0
    while i < n:
        i += 1
    return x + i


@jax.jit
def with_while_loop(x, n):
    """Count up with `lax.while_loop`."""
    return x + jax.lax.while_loop(lambda i: i < n, lambda i: i + 1, 0)


if __name__ == "__main__":
    for variant in (jit_of_the_body, with_static_argument, with_while_loop):
        print(variant.__name__, variant(**inputs()))
    try:
        plain_while(**inputs())
    except jax.errors.TracerBoolConversionError as error:
        print("plain_while", type(error).__name__)
