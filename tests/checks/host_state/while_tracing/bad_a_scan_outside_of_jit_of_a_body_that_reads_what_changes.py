import jax
import jax.numpy as jnp

scale = 1.0


def body(carry, x):
    return carry + x * scale, None


def run():
    global scale
    a = jax.lax.scan(body, 0.0, jnp.ones(3))
    scale = 2.0  # bug: host-state
    return a, jax.lax.scan(body, 0.0, jnp.ones(3))
