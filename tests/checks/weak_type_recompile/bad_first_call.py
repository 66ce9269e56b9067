import jax
import jax.numpy as jnp


def scaled():
    double = jax.jit(lambda x: 2 * x)
    first = double(3)
    return first, double(jnp.int32(4))  # warning: weak-type-recompile
