import jax
import jax.numpy as jnp


def scaled():
    double = jax.jit(lambda x: 2 * x)
    first = double(jnp.int32(3))
    return first, double(jnp.int32(4))
