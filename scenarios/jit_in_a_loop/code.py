"""jit inside a loop: a new function object each time is a new program each time."""

from functools import partial

import jax


def inputs(x=10, n=20):
    """Where to start, and how often to count up."""
    return {"x": x, "n": n}


def count_up(x):
    """Return the next number."""
    return x + 1


def jit_of_a_partial(x, n):
    """Each round wraps the function anew, so jit has never seen it."""
    for _ in range(n):
        x = jax.jit(partial(count_up))(x)
    return x


def jit_of_a_lambda(x, n):
    """Each round makes another lambda, so jit has never seen it."""
    for _ in range(n):
        x = jax.jit(lambda x: count_up(x))(x)
    return x


def jit_of_the_function(x, n):
    """Each round names the same function, so jit finds what it has compiled."""
    for _ in range(n):
        x = jax.jit(count_up)(x)
    return x


if __name__ == "__main__":
    for variant in (jit_of_a_partial, jit_of_a_lambda, jit_of_the_function):
        print(variant.__name__, variant(**inputs()))
