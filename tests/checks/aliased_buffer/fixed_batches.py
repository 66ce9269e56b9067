import jax
import numpy as np


def aligned(count):
    """Return zeros at an address that JAX takes as it is."""
    memory = np.zeros(4 * count + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + 4 * count].view(np.float32)


def kept_batches():
    buffer, batches = aligned(16), []
    for number in range(4):
        buffer[:] = number
        batches.append(jax.device_put(buffer.copy()))
    return batches
