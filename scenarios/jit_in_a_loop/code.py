"""jit inside a loop: a new function object each time is a new program each time."""

from functools import partial

import jax


def inputs(x=10, n=20):
    """Where to start, and how often to count up."""
    return {"x": x, "n": n}


def count_up(i):
    """Return the next number."""
    return i + 1


def jit_of_a_partial(x, n):
    """Each round wraps the function anew, so jit has never seen it."""
    i = 0
    while i < n:
        i = jax.jit(partial(count_up))(i)
    return x + i


def jit_of_a_lambda(x, n):
    """Each round makes another lambda, so jit has never seen it."""
    i = 0
    while i < n:
        i = jax.jit(lambda i: count_up(i))(i)  # noqa: PLW0108
    return x + i


def jit_of_the_function(x, n):
    """Each round names the same function, so jit finds what it has compiled."""
    i = 0
    while i < n:
        i = jax.jit(count_up)(i)
    return x + i


if __name__ == "__main__":
    for variant in (jit_of_a_partial, jit_of_a_lambda, jit_of_the_function):
        print(variant.__name__, variant(**inputs()))
