"""One formula, in NumPy and in JAX, for few numbers and for many."""

import jax
import jax.numpy as jnp
import numpy as np


def inputs(n=10):
    """The same numbers twice: for NumPy and for JAX."""
    numbers = np.linspace(-1.0, 1.0, n, dtype=np.float32)
    return {"numbers": numbers, "x": jnp.asarray(numbers)}


def polynomial(z):
    """Return a polynomial of degree 6, by twelve operations."""
    y = 0.1
    for factor in (0.1, -0.1, 0.2, -0.1, 0.2, 0.1):
        y = factor + z * y
    return y


def with_numpy(numbers):
    """Pass the formula a NumPy array."""
    return polynomial(numbers)


def with_jax(x):
    """Pass the formula a JAX array."""
    return polynomial(x)


compiled = jax.jit(polynomial)


def with_jit(x):
    """Pass the compiled formula a JAX array."""
    return compiled(x)


if __name__ == "__main__":
    given = inputs()
    print(with_numpy(given["numbers"]))
    print(with_jax(given["x"]))
    print(with_jit(given["x"]))
