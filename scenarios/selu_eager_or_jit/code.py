"""SELU: one operation at a time, or one program."""

import jax
import jax.numpy as jnp

ALPHA = 1.6732632
SCALE = 1.0507010


def inputs(n=1_000_000):
    """Return n numbers from -5 to 5."""
    return {"x": jnp.linspace(-5.0, 5.0, n)}


def selu(x):
    """Eager: each operation runs on its own."""
    return SCALE * jnp.where(x > 0, x, ALPHA * (jnp.exp(x) - 1))


@jax.jit
def selu_jit(x):
    """The same, traced once and compiled as one program."""
    return selu(x)


if __name__ == "__main__":
    x = inputs()["x"]
    print("largest difference:", abs(selu(x) - selu_jit(x)).max())
