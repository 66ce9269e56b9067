"""Counting and adding with a limited number of digits."""

import jax
import jax.numpy as jnp
import numpy as np

FLOAT_START = 2.0**24 - 4
WHOLE_START = 2**31 - 5


def inputs(steps=8):
    """How often to add 1."""
    return {"steps": steps}


def one_more(count, _):
    """Return the count with 1 added, twice: as the carry and as the output."""
    return count + 1, count + 1


def float_count(steps):
    """Count on from 16,777,212, and return how far that is from there."""
    start = jnp.asarray(FLOAT_START, dtype="float64")
    _, counts = jax.lax.scan(one_more, start, length=steps)
    return {
        "jax": counts - start,
        "numpy": (np.asarray(FLOAT_START) + np.arange(1, steps + 1)) - FLOAT_START,
    }


def whole_count(steps):
    """Count on from 2,147,483,643 in whole numbers."""
    start = jnp.asarray(WHOLE_START)
    return start + jnp.arange(1, steps + 1)


def add_up():
    """Add a tenth a million times: one after the other, and with `jnp.sum`."""
    tenths = jnp.full(1_000_000, 0.1)
    one_by_one, _ = jax.lax.scan(lambda total, each: (total + each, None), 0.0, tenths)
    return {"one_by_one": one_by_one, "sum": jnp.sum(tenths)}


def with_x64(steps):
    """Count on from 16,777,212 with 64 bits turned on; and return the bytes of a number of two arrays."""
    with jax.enable_x64(True):
        new, old = jnp.ones(2), 2.0 * jnp.ones(2, "float32")
        return {**float_count(steps), "bytes": jnp.array([new.dtype.itemsize, old.dtype.itemsize])}


def numpy_scale():
    """Scale bfloat16 numbers with a number of NumPy; return how many bytes each has."""
    x = jnp.ones(8, jnp.bfloat16)
    scaled = x / np.sqrt(2)
    return {"scaled": scaled, "bytes": jnp.asarray(scaled.dtype.itemsize)}


def python_scale():
    """Scale the same with a number of Python."""
    x = jnp.ones(8, jnp.bfloat16)
    scaled = x / float(np.sqrt(2))
    return {"scaled": scaled, "bytes": jnp.asarray(scaled.dtype.itemsize)}


if __name__ == "__main__":
    print("float_count", float_count(**inputs()))
    print("whole_count", whole_count(**inputs()))
    print("add_up", add_up())
    print("with_x64", with_x64(**inputs()))
    print("scale", numpy_scale(), python_scale())
