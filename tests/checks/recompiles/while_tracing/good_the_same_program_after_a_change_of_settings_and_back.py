import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    return x @ x


def run():
    x = jnp.ones((2, 2))
    with jax.default_matmul_precision("float32"):
        a = f(x)
    return a, f(x), f(x)
