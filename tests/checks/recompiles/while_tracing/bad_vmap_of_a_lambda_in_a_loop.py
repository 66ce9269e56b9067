import jax
import jax.numpy as jnp


def run():
    x = jnp.ones(3)
    for _ in range(4):
        x = jax.jit(jax.vmap(lambda y: y * 2))(x)  # warning: recompiles
    return x
