"""A call returns before the work is done: two clocks around the same work."""

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


def returned(x):
    """Stop the clock when the call returns: the device has hardly begun. In microseconds."""
    start = time.perf_counter()
    work(x)
    return jnp.float32(1e6 * (time.perf_counter() - start))


def finished(x):
    """Stop the clock when the result is there. In microseconds."""
    start = time.perf_counter()
    jax.block_until_ready(work(x))
    return jnp.float32(1e6 * (time.perf_counter() - start))


if __name__ == "__main__":
    print("returned after", returned(**inputs()), "microseconds")
    print("finished after", finished(**inputs()), "microseconds")
