"""Two numbers from NumPy with its seed, and two from JAX with a key."""

import jax
import jax.numpy as jnp
import numpy as np


def inputs(seed=42):
    """One key: two 32-bit numbers with JAX's default generator (four with `rbg`), and nothing else."""
    return {"key": jax.random.key(seed)}


def numpy_global_state():
    """Set the seed once, and call the generator twice."""
    np.random.seed(0)
    first = np.random.rand()
    second = np.random.rand()
    return np.array([first, second])


def same_key_twice(key):
    """Draw twice from the key that came in."""
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
