import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def insert(buffer, transitions, position):
    roll = jnp.minimum(0, len(buffer) - position - len(transitions))
    buffer = jnp.roll(buffer, roll, axis=0)
    position = position + roll
    buffer = lax.dynamic_update_slice_in_dim(buffer, transitions, position, axis=0)
    return buffer, position + len(transitions)


def main():
    buffer, position = jnp.zeros((8, 2)), 0
    for number in range(3):
        buffer, position = insert(buffer, jnp.full((3, 2), number + 1.0), position)
    return buffer


if __name__ == "__main__":
    print(main())
