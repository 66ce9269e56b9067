"""adaptive-intelligent-robotics/QDax, pull request 75"""

import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def insert(buffer, transitions, position):
    buffer = lax.dynamic_update_slice_in_dim(buffer, transitions, position, axis=0)  # bug: out-of-bounds
    return buffer, (position + len(transitions)) % len(buffer)


def main():
    buffer, position = jnp.zeros((8, 2)), 0
    for number in range(3):
        buffer, position = insert(buffer, jnp.full((3, 2), number + 1.0), position)
    return buffer


if __name__ == "__main__":
    print(main())
