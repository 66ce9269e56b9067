"""Numbers scaled under jit so that the largest becomes 1."""

import jax
import jax.numpy as jnp


def inputs(n=8):
    """Numbers to scale so that the largest becomes 1."""
    return {"x": jnp.arange(1.0, n + 1)}


@jax.jit
def with_item(x):
    """Divide by a Python number."""
    largest = x.max().item()
    return x / largest


@jax.jit
def with_array(x):
    """Divide by the result of `max`."""
    largest = x.max()
    return x / largest


if __name__ == "__main__":
    print("with_array", with_array(**inputs()))
    try:
        with_item(**inputs())
    except jax.errors.ConcretizationTypeError as error:
        print("with_item", type(error).__name__)
