"""Writing into an array: into a new one, into the same memory, many times over."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def inputs(n=1000, writes=20):
    """Zeros, and how many of them to write to."""
    return {"x": jnp.zeros(n), "n": n, "writes": writes}


@jax.jit
def write(x):
    """Return `x` with a 9 at index 0."""
    return x.at[0].set(9.0)


@jax.jit
def write_at(x, i):
    """Return `x` with `i` at index `i`."""
    return x.at[i].set(i)


@partial(jax.jit, donate_argnames="x")
def write_donated(x):
    """Return `x` with a 9 at index 0; the caller donates `x`."""
    return x.at[0].set(9.0)


def plain_write(n):
    """Write, and return both arrays and whether they share memory."""
    x = jnp.zeros(n)
    place = x.unsafe_buffer_pointer()
    y = write(x)
    return {"x": x[:4], "y": y[:4], "same_place": y.unsafe_buffer_pointer() == place}


def donated_write(n):
    """Write into a donated array, and return the result and whether the array is deleted."""
    x = jnp.zeros(n)
    place = x.unsafe_buffer_pointer()
    y = write_donated(x)
    return {"y": y[:4], "same_place": y.unsafe_buffer_pointer() == place, "deleted": x.is_deleted()}


def many_calls(x, writes):
    """Write to one index after the other, with a call for each."""
    for i in range(writes):
        x = write_at(x, i)
    return x


@partial(jax.jit, static_argnames="writes")
def one_call(x, writes):
    """Write to one index after the other, in one call for all."""
    for i in range(writes):
        x = x.at[i].set(i)
    return x


def lost_counts():
    """Count 0, 2, 2 and 3, each with an update of its own."""
    counts = jnp.zeros(4, jnp.int32)
    for i in (0, 2, 2, 3):
        counts.at[i].add(1)
    return counts


def kept_counts():
    """Count the same, and give each updated array the name."""
    counts = jnp.zeros(4, jnp.int32)
    for i in (0, 2, 2, 3):
        counts = counts.at[i].add(1)
    return counts


def aligned_zeros(count):
    """Return zeros of NumPy at an address that JAX can use as it is."""
    memory = np.zeros(4 * count + 64, np.uint8)
    address = memory.__array_interface__["data"][0]
    start = -address % 64
    return memory[start : start + 4 * count].view(np.float32)


def shared_buffer():
    """Put an array of NumPy on the CPU, then write into it."""
    buffer = aligned_zeros(4)
    x = jax.device_put(buffer, jax.devices("cpu")[0])
    buffer[0] = 9.0
    return x


def copied_buffer():
    """Put a copy on the CPU, then write into the array of NumPy."""
    buffer = aligned_zeros(4)
    x = jax.device_put(buffer.copy(), jax.devices("cpu")[0])
    buffer[0] = 9.0
    return x


if __name__ == "__main__":
    values = inputs()
    print("plain_write", plain_write(values["n"]))
    print("donated_write", donated_write(values["n"]))
    same = many_calls(values["x"], values["writes"]) == one_call(values["x"], writes=values["writes"])
    print("the same:", same.all())
    print("counts", lost_counts(), kept_counts())
    print("buffers", shared_buffer(), copied_buffer())
