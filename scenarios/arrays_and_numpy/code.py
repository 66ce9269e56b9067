"""The same lines with arrays of NumPy and with arrays of JAX: what they change, and which dtypes they give."""

import jax
import jax.numpy as jnp
import numpy as np


def inputs(n=5):
    """The numbers from 1 to n, in an array of NumPy."""
    return {"numbers": np.arange(1.0, n + 1)}


def two_names_in_jax(numbers):
    """Give one array of JAX two names, and add 10 under the second."""
    first = jnp.asarray(numbers)
    second = first
    second += 10
    return {"first": first, "second": second}


def two_names_in_numpy(numbers):
    """Do the same with an array of NumPy."""
    first = numbers.copy()
    second = first
    second += 10
    return {"first": first, "second": second}


def one_number_changed(numbers):
    """Make a new array in which one number is different."""
    first = jnp.asarray(numbers)
    second = first.at[0].set(99.0)
    return {"first": first, "second": second}


def bytes_of_a_number(numbers):
    """Return how many bytes a number has in NumPy, and after it went to JAX."""
    integers = np.arange(len(numbers))
    numpy = [numbers.itemsize, integers.itemsize]
    return {"numpy": np.array(numpy), "jax": jnp.array([jnp.asarray(each).itemsize for each in (numbers, integers)])}


def mixed_dtypes(numbers):
    """Add integers and float16 numbers, in NumPy and in JAX."""
    integers = (1000 * numbers).astype(np.int32)
    halves = numbers.astype(np.float16)
    return {"numpy": integers + halves, "jax": jnp.asarray(integers) + jnp.asarray(halves)}


def which_library(numbers):
    """Pass arrays of JAX to NumPy, and the other way round; return 1 for each result that is an array of JAX."""
    x = jnp.asarray(numbers)
    results = [np.sin(x), jnp.sin(numbers), numbers + x]
    return np.array([isinstance(each, jax.Array) for each in results]).astype(int)


if __name__ == "__main__":
    for variant in (
        two_names_in_jax,
        two_names_in_numpy,
        one_number_changed,
        bytes_of_a_number,
        mixed_dtypes,
        which_library,
    ):
        print(variant.__name__, variant(**inputs()))
