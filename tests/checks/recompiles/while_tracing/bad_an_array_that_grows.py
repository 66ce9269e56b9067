import jax
import jax.numpy as jnp


@jax.jit  # warning: recompiles
def mean(x):
    return x.mean()


def run():
    x = jnp.zeros(0)
    for i in range(5):
        x = jnp.append(x, i)
        y = mean(x)
    return y
