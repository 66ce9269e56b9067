import jax
import jax.numpy as jnp


@jax.jit
def total(x):
    for _ in range(5):
        x, _ = jax.lax.scan(lambda c, a: (c + a, None), x, jnp.ones(3))
    return x


def run():
    return [total(jnp.float32(i)) for i in range(5)]
