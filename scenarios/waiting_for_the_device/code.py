"""A call returns before the work is done: two clocks around the same work."""

import time

import jax
import jax.numpy as jnp


def inputs(n=1000, seed=0):
    """A matrix of n x n numbers."""
    return {"x": jax.random.normal(jax.random.key(seed), (n, n))}


@jax.jit
def work(x):
    """Multiply the matrix with itself a few times."""
    for _ in range(4):
        x = jnp.tanh(x @ x)
    return x


def microseconds(x, finish):
    """Return how long `work` takes by the clock, the result handed to `finish` first."""
    work(x).block_until_ready()
    start = time.perf_counter()
    finish(work(x))
    return jnp.float32(1e6 * (time.perf_counter() - start))


def returned(x):
    """Stop the clock when the call returns: the device has hardly begun."""
    return microseconds(x, lambda _: None)


def finished(x):
    """Stop the clock when the result is there."""
    return microseconds(x, jax.block_until_ready)


if __name__ == "__main__":
    print("returned after", returned(**inputs()), "microseconds")
    print("finished after", finished(**inputs()), "microseconds")
