"""The same formula in NumPy and in JAX, for few numbers and for many."""

import jax
import jax.numpy as jnp
import numpy as np


def inputs(n=10):
    """The same numbers, once for NumPy and once for JAX."""
    numbers = np.linspace(-1.0, 1.0, n, dtype=np.float32)
    return {"numbers": numbers, "x": jnp.asarray(numbers)}


def with_numpy(numbers):
    """Compute the formula with NumPy."""
    return numbers * np.tanh(numbers) + np.exp(-numbers)


def with_jax(x):
    """Compute the formula with JAX, one operation at a time."""
    return x * jnp.tanh(x) + jnp.exp(-x)


with_jit = jax.jit(with_jax)
