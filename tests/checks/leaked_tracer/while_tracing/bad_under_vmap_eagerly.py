import jax
import jax.numpy as jnp


def run():
    seen = []

    def f(x):
        seen.append(x)  # bug: leaked-tracer
        return x * 2

    return jax.vmap(f)(jnp.ones(3))
