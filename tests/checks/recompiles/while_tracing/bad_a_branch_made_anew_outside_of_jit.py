import jax
import jax.numpy as jnp


def run():
    x = jnp.float32(1.0)
    for _ in range(5):
        x = jax.lax.cond(x > 0, jnp.sin, lambda y: -y, x)  # warning: recompiles
    return x
