import jax
import jax.numpy as jnp


@jax.jit
def without_the_first(x):
    x.at[0].multiply(0.0)  # bug: discarded-update
    return 2 * x


def run():
    return without_the_first(jnp.array([1.0, -2.0]))
