import jax
import jax.numpy as jnp


def power(x):
    def body(i, y):  # warning: recompiles
        return y * x

    return jax.lax.fori_loop(0, 3, body, x)


def run():
    x = jnp.float32(1.0)
    for _ in range(5):
        x = power(x)
    return x
