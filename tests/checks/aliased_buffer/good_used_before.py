import jax
import numpy as np


def aligned(count):
    """Return zeros at an address that JAX takes as it is."""
    memory = np.zeros(4 * count + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + 4 * count].view(np.float32)


def sums():
    buffer, total = aligned(16), 0.0
    for number in range(4):
        buffer[:] = number
        x = jax.device_put(buffer)
        total += float(x.sum())
    return total
