import jax
import jax.numpy as jnp

total = 0


def run():
    def body(carry, x):
        global total
        total = total + 1  # bug: host-state
        return carry + total, x

    return jax.lax.scan(body, 0.0, jnp.arange(3.0))
