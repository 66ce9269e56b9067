"""A function with a branch on the shape, called with several shapes."""

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
    """Call it with one axis."""
    return log_of_tables(three)


def two_axes(table):
    """Call it with two axes."""
    return log_of_tables(table)


def four_calls(three, five, table):
    """Call it four times under jit."""
    jitted = jax.jit(log_of_tables)
    return [jitted(x) for x in (three, five, three, table)]


@jax.jit
def add(total, x):
    """Return the next total."""
    return total + x


def weak_start(three):
    """Add up three numbers, beginning with a number of Python."""
    total = 0.0
    for x in three:
        total = add(total, x)
    return total


def strong_start(three):
    """Add up three numbers, beginning with a number of JAX."""
    total = jnp.float32(0.0)
    for x in three:
        total = add(total, x)
    return total


if __name__ == "__main__":
    print(jax.make_jaxpr(log_of_tables)(inputs()["three"]))
    print(jax.make_jaxpr(log_of_tables)(inputs()["table"]))
    print([result.shape for result in four_calls(**inputs())])
    print(weak_start(inputs()["three"]), strong_start(inputs()["three"]))
