"""A jitted function that prints, called three times; with `print`, and with `jax.debug.print`."""

import jax
import jax.numpy as jnp


def inputs(x=8.0):
    """One Python number."""
    return {"x": x}


@jax.jit
def log2_with_print(x):
    """Return the logarithm of `x` to base 2, and print `x` on the way."""
    print("print:", x)
    return jnp.log(x) / jnp.log(2.0)


@jax.jit
def log2_with_debug_print(x):
    """Return the logarithm of `x` to base 2, and print `x` with jax.debug.print."""
    jax.debug.print("jax.debug.print: {x}", x=x)
    return jnp.log(x) / jnp.log(2.0)


def print_in_three_calls(x):
    """Call the jitted function three times."""
    return [log2_with_print(x) for _ in range(3)]


def debug_print_in_three_calls(x):
    """Call the jitted function three times."""
    return [log2_with_debug_print(x) for _ in range(3)]


if __name__ == "__main__":
    for variant in (print_in_three_calls, debug_print_in_three_calls):
        print(variant.__name__, jax.block_until_ready(variant(**inputs())))
