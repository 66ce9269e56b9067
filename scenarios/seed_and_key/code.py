"""A seed hides a state that every call moves on; a key is a value, and drawing leaves it as it was."""

import jax
import jax.numpy as jnp
import numpy as np


def inputs(seed=42):
    """One key: two 32-bit numbers with JAX's default generator (four with `rbg`), and nothing else."""
    return {"key": jax.random.key(seed)}


def numpy_global_state():
    """NumPy keeps a state behind the scenes: the second call gives another number."""
    np.random.seed(0)
    first = np.random.rand()
    second = np.random.rand()
    return np.array([first, second])


def same_key_twice(key):
    """A key has no state to move: the second draw gives the first number again."""
    first = jax.random.normal(key)
    second = jax.random.normal(key)
    return jnp.stack([first, second])


def split_first(key):
    """Make two keys out of one, and draw from each of them once."""
    first_key, second_key = jax.random.split(key)
    first = jax.random.normal(first_key)
    second = jax.random.normal(second_key)
    return jnp.stack([first, second])


if __name__ == "__main__":
    print("NumPy", numpy_global_state())
    print("the same key", same_key_twice(**inputs()))
    print("two keys", split_first(**inputs()))
