import jax
import jax.numpy as jnp


@jax.jit  # warning: recompiles
def f(x):
    return x * 2


def run():
    return [f(v) for v in (True, 1, 1.0, jnp.float16(1), 1j)]
