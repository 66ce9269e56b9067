"""Indices that an array does not have: read, written, checked."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def inputs(i=10, back=-7, start=3):
    """Five numbers, an index too large, an index too small, and where a slice of four begins."""
    return {"x": jnp.arange(5.0), "i": i, "back": back, "start": start}


@jax.jit
def read(x, i, back, start):
    """Read one index, another counted from the end, and a slice of four."""
    return {
        "on": x[i],
        "back": x[back],
        "slice": jax.lax.dynamic_slice(x, (start,), (4,)),
    }


@jax.jit
def write(x, i):
    """Write a 9 to an index, and add 9 to a sum that does not exist."""
    numbers = jnp.array([0, 1, 2, i])
    return {
        "set": x.at[i].set(9.0),
        "sums": jax.ops.segment_sum(jnp.full(4, 9.0), numbers, num_segments=4),
    }


@jax.jit
def read_with_mode(x, i):
    """Read one index in three ways."""
    return {
        "take": jnp.take(x, i),
        "fill": x.at[i].get(mode="fill", fill_value=-1.0),
        "clip": x.at[i].get(mode="clip"),
    }


def read_with_check(x, i):
    """Read one index through `checkify`, and raise its error."""
    error, value = checkify.checkify(jax.jit(lambda x, i: x[i]), errors=checkify.index_checks)(x, i)
    error.throw()
    return value


if __name__ == "__main__":
    from_inputs = inputs()
    print("read", read(**from_inputs))
    for variant in (write, read_with_mode, read_with_check):
        try:
            print(variant.__name__, variant(from_inputs["x"], from_inputs["i"]))
        except Exception as error:
            print(variant.__name__, type(error).__name__)
