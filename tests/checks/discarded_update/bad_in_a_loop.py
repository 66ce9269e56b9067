import jax.numpy as jnp


def counts():
    counted = jnp.zeros(4, jnp.int32)
    for index in (0, 2, 2, 3):
        counted.at[index].add(1)  # bug: discarded-update
    return counted
