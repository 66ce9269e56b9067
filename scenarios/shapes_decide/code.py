"""A branch on the shape is decided while tracing, so each shape has a program of its own."""

import jax
import jax.numpy as jnp


def inputs():
    """Vectors of 3 and of 5 numbers, and a table of 2 x 3."""
    return {"three": jnp.arange(1.0, 4.0), "five": jnp.arange(1.0, 6.0), "table": jnp.ones((2, 3))}


def log_of_tables(x):
    """Return the logarithm of a table, and anything else as it is."""
    if x.ndim == 2:
        return jnp.log(x)
    return x


def vector(three):
    """One axis: the branch is not taken, and nothing of it is in the program."""
    return log_of_tables(three)


def two_axes(table):
    """Two axes: the branch is taken, and the question is not in the program."""
    return log_of_tables(table)


def four_calls(three, five, table):
    """Four calls of one jitted function, with three different shapes."""
    jitted = jax.jit(log_of_tables)
    return [jitted(x) for x in (three, five, three, table)]


if __name__ == "__main__":
    print(jax.make_jaxpr(log_of_tables)(inputs()["three"]))
    print(jax.make_jaxpr(log_of_tables)(inputs()["table"]))
    print([result.shape for result in four_calls(**inputs())])
