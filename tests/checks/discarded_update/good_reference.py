import jax
import jax.numpy as jnp


@jax.jit
def written(x):
    reference = jax.new_ref(x)
    reference.at[0][...] = 9.0
    reference[1] = 8.0
    return reference[...]


def run():
    return written(jnp.zeros(3))
