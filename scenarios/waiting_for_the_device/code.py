"""Clocks around some work: which of them shows how long it takes?"""

import time

import jax
import jax.numpy as jnp


@jax.jit
def work(x):
    """Multiply the matrix with itself a few times."""
    for _ in range(4):
        x = jnp.tanh(x @ x)
    return x


def inputs(n=1000, seed=0):
    """A matrix of n x n numbers; the work is done once, so that no clock below sees the compiler."""
    x = jax.random.normal(jax.random.key(seed), (n, n))
    jax.block_until_ready(work(x))
    return {"x": x}


def microseconds_since(start):
    """Return the time since `start`."""
    return jnp.float32(1e6 * (time.perf_counter() - start))


def two_clocks(x):
    """Read the clock when the call returns, and again when the result is ready."""
    start = time.perf_counter()
    result = work(x)
    returned = microseconds_since(start)
    jax.block_until_ready(result)
    finished = microseconds_since(start)
    return {"returned": returned, "finished": finished, "times_as_long": finished / returned}


def clock_on_each_line(x):
    """Time the call, and then the line that prints a number of the result."""
    start = time.perf_counter()
    result = work(x)
    call = microseconds_since(start)
    start = time.perf_counter()
    print(result[0, 0])
    return {"the call": call, "the print": microseconds_since(start)}


def seconds_until_ready(x):
    """Return the whole time of the work."""
    start = time.perf_counter()
    jax.block_until_ready(work(x))
    return time.perf_counter() - start


def read_too_early(x):
    """Time the work with one clock, and return the share of the whole time."""
    start = time.perf_counter()
    result = work(x)
    seconds = time.perf_counter() - start
    jax.block_until_ready(result)
    return {"share": jnp.float32(seconds / seconds_until_ready(x))}


def read_when_ready(x):
    """Time the same, and wait before the clock is read."""
    start = time.perf_counter()
    jax.block_until_ready(work(x))
    seconds = time.perf_counter() - start
    return {"share": jnp.float32(seconds / seconds_until_ready(x))}


if __name__ == "__main__":
    print("microseconds:", two_clocks(**inputs()))
    print("microseconds:", clock_on_each_line(**inputs()))
    print(read_too_early(**inputs()), read_when_ready(**inputs()))
