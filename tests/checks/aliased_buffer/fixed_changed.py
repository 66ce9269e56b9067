import jax
import numpy as np


def aligned(count):
    """Return zeros at an address that JAX takes as it is."""
    memory = np.zeros(4 * count + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + 4 * count].view(np.float32)


def first_numbers():
    buffer = aligned(16)
    buffer[:] = np.arange(16)
    x = jax.device_put(buffer.copy())
    buffer[0] = 7.0
    return x + 1.0
