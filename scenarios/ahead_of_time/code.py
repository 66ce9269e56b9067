"""The stages of a jitted function, one after the other: trace, lower, compile, call; and export."""

import jax
import jax.numpy as jnp
from jax import export


def inputs(n=4):
    """The numbers from 0 to n - 1."""
    return {"x": jnp.arange(1.0 * n)}


@jax.jit
def energy(x):
    """Return the sum of the squares; print a line whenever Python runs this."""
    print("Python runs energy")
    return jnp.sum(x * x)


def by_stages(x):
    """Compile for four numbers before any are there, and call the result twice."""
    wanted = jax.ShapeDtypeStruct((4,), jnp.float32)
    compiled = energy.trace(wanted).lower().compile()
    return [compiled(x), compiled(2 * x)]


def other_shape(x):
    """Call what was compiled for four numbers with five."""
    wanted = jax.ShapeDtypeStruct((4,), jnp.float32)
    compiled = energy.trace(wanted).lower().compile()
    return compiled(jnp.append(x, 4.0))


def exported(x):
    """Export for any number of numbers, and call that with four and with seven."""
    (size,) = export.symbolic_shape("n")
    program = export.export(energy)(jax.ShapeDtypeStruct((size,), jnp.float32))
    return [program.call(x), program.call(jnp.arange(7.0))]


if __name__ == "__main__":
    for variant in (by_stages, exported):
        print(variant.__name__, jax.block_until_ready(variant(**inputs())))
    try:
        other_shape(**inputs())
    except TypeError as error:
        print("other_shape", type(error).__name__)
