import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    parts = []
    for i in range(3):
        parts.append(x * i)
    return jnp.stack(parts)


def run():
    return f(1.0)
