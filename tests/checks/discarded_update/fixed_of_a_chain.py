import jax.numpy as jnp


def both():
    x = jnp.zeros(3)
    # What the first one returns is used, and lost with the second.
    x = x.at[0].set(1.0).at[1].set(2.0)
    return 2 * x
