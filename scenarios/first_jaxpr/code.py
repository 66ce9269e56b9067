"""The smallest program, and what JAX makes of it: a jaxpr."""

import jax
import jax.numpy as jnp


def inputs(x=3.0, y=4.0):
    """Two numbers as arrays without axes: shape (), dtype float32."""
    return {"x": jnp.float32(x), "y": jnp.float32(y)}


def multiply_and_add(x, y):
    """Return the product of two numbers, plus 2."""
    return x * y + 2


if __name__ == "__main__":
    print(jax.make_jaxpr(multiply_and_add)(**inputs()))
