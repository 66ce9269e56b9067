"""Looking into a compiled program: a print for each example, a check, and a function of NumPy inside."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import checkify


def inputs(batch=4):
    """The numbers 3, 2, 1, 0, ..., as many as the batch."""
    return {"x": 3.0 - jnp.arange(1.0 * batch)}


def print_each(x):
    """Print inside a function under vmap and jit."""

    def double(each):
        jax.debug.print("each = {each}", each=each)
        return 2 * each

    return jax.jit(jax.vmap(double))(x)


@jax.jit
def logarithm(x):
    """Return the logarithm of every number, and check that all are above 0."""
    checkify.check(jnp.all(x > 0), "not all are above 0")
    return jnp.log(x)


def no_check(x):
    """Return the logarithm without a check."""
    return jax.jit(jnp.log)(x)


def with_check(x):
    """Compute, and raise the error that the check has noted."""
    error, result = checkify.checkify(logarithm)(x)
    error.throw()
    return result


@jax.jit
def median(x):
    """Return the median of `x`, computed by NumPy."""
    return jax.pure_callback(lambda x: np.median(x).astype(x.dtype), jax.ShapeDtypeStruct((), x.dtype), x)


def numpy_inside(x):
    """Call the median."""
    return median(x)


def gradient_through_numpy(x):
    """Take its gradient."""
    return jax.grad(median)(x)


if __name__ == "__main__":
    print("print_each", jax.block_until_ready(print_each(**inputs())))
    print("no_check", no_check(**inputs()))
    print("numpy_inside", numpy_inside(**inputs()))
    for variant in (with_check, gradient_through_numpy):
        try:
            variant(**inputs())
        except Exception as error:
            print(variant.__name__, type(error).__name__)
