import jax
import jax.numpy as jnp


@jax.jit
def norm(x):
    return jnp.sqrt((x**2).sum())


def run():
    a = norm(jnp.ones(2))
    b = norm(jnp.ones(3))
    c = norm(jnp.ones((4, 4)))
    d = norm(jnp.ones((5, 1)))
    e = norm(jnp.ones((6, 2)))
    return a, b, c, d, e
