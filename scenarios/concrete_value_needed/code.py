"""`.item()` asks for a Python number, and a traced array has none to give."""

import jax
import jax.numpy as jnp


def inputs(n=8):
    """Numbers to be scaled so that the largest becomes 1."""
    return {"x": jnp.arange(1.0, n + 1)}


@jax.jit
def with_item(x):
    """Leave JAX for a Python number: not possible while tracing."""
    largest = x.max().item()
    return x / largest


@jax.jit
def with_array(x):
    """Stay with JAX: an array without axes works wherever a number does."""
    largest = x.max()
    return x / largest


if __name__ == "__main__":
    print("with_array", with_array(**inputs()))
    try:
        with_item(**inputs())
    except jax.errors.ConcretizationTypeError as error:
        print("with_item", type(error).__name__)
