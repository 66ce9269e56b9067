import jax
import jax.numpy as jnp


@jax.jit
def smooth(xs):
    def step(c, x):
        return 0.9 * c + x, c

    return jax.lax.scan(step, 0.0, xs)[1]


def run():
    xs = jnp.ones(4)
    for _ in range(6):
        xs = smooth(xs)
    return xs
