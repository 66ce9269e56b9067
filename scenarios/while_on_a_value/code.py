"""A `while` on a traced value, and three ways to write it."""

from functools import partial

import jax


def inputs(x=10, n=20):
    """Where to start, and how often to count up."""
    return {"x": x, "n": n}


@jax.jit
def plain_while(x, n):
    """While JAX traces, `n` has no value yet, so nobody knows how long the loop is."""
    i = 0
    while i < n:
        i += 1
    return x + i


@jax.jit
def add_one(x):
    """Return the next number."""
    return x + 1


def jit_of_the_body(x, n):
    """Leave the loop to Python, and jit what it does."""
    i = 0
    while i < n:
        x = add_one(x)
        i += 1
    return x


@partial(jax.jit, static_argnames="n")
def with_static_argument(x, n):
    """Make `n` a part of the program: the loop runs while tracing, and each new `n` is compiled anew."""
    i = 0
    while i < n:
        i += 1
    return x + i


@jax.jit
def with_while_loop(x, n):
    """Put the loop itself into the program."""
    return x + jax.lax.while_loop(lambda i: i < n, lambda i: i + 1, 0)


if __name__ == "__main__":
    for variant in (jit_of_the_body, with_static_argument, with_while_loop):
        print(variant.__name__, variant(**inputs()))
    try:
        plain_while(**inputs())
    except jax.errors.TracerBoolConversionError as error:
        print("plain_while", type(error).__name__)
