"""The same function called without jit, under jit, and under jit with other arguments."""

import jax
import jax.numpy as jnp


def inputs(n=5):
    """The numbers from 1 to n."""
    return {"x": jnp.arange(1.0, n + 1)}


def root_mean_square(x):
    """Print a line, and return the root mean square of `x`."""
    print("Python runs root_mean_square")
    return jnp.sqrt(jnp.mean(x * x))


def without_jit(x):
    """Call the function three times."""
    return [root_mean_square(n * x) for n in (1, 2, 3)]


def with_jit(x):
    """Call the function three times under jit."""
    compiled = jax.jit(root_mean_square)
    return [compiled(n * x) for n in (1, 2, 3)]


def other_arguments(x):
    """Call it under jit with all numbers, with two, with integers, and with all numbers again."""
    compiled = jax.jit(root_mean_square)
    return [compiled(x), compiled(x[:2]), compiled(x.astype(int)), compiled(x)]


if __name__ == "__main__":
    for variant in (without_jit, with_jit, other_arguments):
        print(variant.__name__, jax.block_until_ready(variant(**inputs())))
