import jax
import jax.numpy as jnp


@jax.jit
def f(x, key):
    return x + jax.random.normal(key, x.shape)


def run():
    return f(jnp.ones(3), jax.random.key(0))
