import jax.numpy as jnp


def first_is_nine():
    x = jnp.zeros(3)
    x.at[0].set(9.0)  # bug: discarded-update
    return 2 * x
