import jax
import jax.numpy as jnp


def run():
    w = jnp.float32(1.0)
    for _ in range(4):
        w = jax.jit(jax.checkpoint(lambda v: jnp.sin(v)))(w)  # warning: recompiles
    return w
