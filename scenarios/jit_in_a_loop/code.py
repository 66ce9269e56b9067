"""jit called inside a loop, with several kinds of function."""

from functools import partial

import jax


def inputs(x=10, n=20):
    """The start, and how often to count up."""
    return {"x": x, "n": n}


def count_up(x):
    """Return the next number."""
    return x + 1


def jit_of_a_partial(x, n):
    """Each iteration passes jit a partial."""
    for _ in range(n):
        x = jax.jit(partial(count_up))(x)
    return x


def jit_of_a_lambda(x, n):
    """Each iteration passes jit a lambda."""
    for _ in range(n):
        x = jax.jit(lambda x: count_up(x))(x)
    return x


def jit_of_the_function(x, n):
    """Each iteration passes jit the function."""
    for _ in range(n):
        x = jax.jit(count_up)(x)
    return x


class Counter:
    """Counts up by its own step."""

    def __init__(self, step):
        self.step = step

    def count_up(self, x):
        """Return the number plus one step."""
        return x + self.step


def jit_of_a_method(x, n):
    """Each iteration passes jit the method of one object."""
    counter = Counter(1)
    for _ in range(n):
        x = jax.jit(counter.count_up)(x)
    return x


if __name__ == "__main__":
    for variant in (jit_of_a_partial, jit_of_a_lambda, jit_of_the_function, jit_of_a_method):
        print(variant.__name__, variant(**inputs()))
