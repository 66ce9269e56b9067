"""An `if` on a traced value, and three ways to write it."""

from functools import partial

import jax
import jax.numpy as jnp


def inputs(x=3):
    """One whole Python number."""
    return {"x": x}


@jax.jit
def plain_if(x):
    """Choose with Python's `if`."""
    if x > 0:
        return 2 * x
    return -x


@jax.jit
def with_where(x):
    """Choose with `jnp.where`."""
    return jnp.where(x > 0, 2 * x, -x)


@jax.jit
def with_cond(x):
    """Choose with `lax.cond`."""
    return jax.lax.cond(x > 0, lambda x: 2 * x, lambda x: -x, x)


@partial(jax.jit, static_argnums=0)
def with_static_argument(x):
    """Choose with Python's `if`, with `x` static."""
    if x > 0:
        return jnp.int32(2 * x)
    return jnp.int32(-x)


if __name__ == "__main__":
    for variant in (with_where, with_cond, with_static_argument):
        print(variant.__name__, variant(inputs()["x"]))
    try:
        plain_if(**inputs())
    except jax.errors.TracerBoolConversionError as error:
        print("plain_if", type(error).__name__)
