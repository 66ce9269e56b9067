import jax.numpy as jnp


def changed():
    x = jnp.arange(3.0)
    if x[1] > 0:
        x.at[1].apply(jnp.cos)  # bug: discarded-update
    return 2 * x
