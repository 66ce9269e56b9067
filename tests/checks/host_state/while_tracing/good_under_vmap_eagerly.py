import jax
import jax.numpy as jnp

calls = []


def run():
    return jax.vmap(lambda x: (calls.append("mapped"), x * 2)[1])(jnp.ones(3))
