import jax
import jax.numpy as jnp


def relax(x, limit):
    return jax.lax.cond(x > limit, lambda v: v * 0.5, lambda v: v, x)  # warning: recompiles


def run():
    x = jnp.float32(8.0)
    for _ in range(5):
        x = relax(x, 1.0)
    return x
