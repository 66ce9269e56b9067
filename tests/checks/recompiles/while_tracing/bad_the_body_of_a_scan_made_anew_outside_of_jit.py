import jax
import jax.numpy as jnp


def run():
    x = jnp.float32(0)
    for _ in range(5):
        x, _ = jax.lax.scan(lambda c, a: (c + a, None), x, jnp.ones(3))  # warning: recompiles
    return x
