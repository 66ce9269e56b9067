import jax.numpy as jnp


class Buffer:
    def __init__(self, size):
        self.values = jnp.zeros(size)
        self.next = 0

    def push(self, value):
        self.values.at[self.next].set(value)  # bug: discarded-update
        self.next += 1


def pushed():
    buffer = Buffer(3)
    buffer.push(1.0)
    buffer.push(2.0)
    return buffer.values
