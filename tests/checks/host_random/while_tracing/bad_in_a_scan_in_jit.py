import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(xs):
    def body(carry, x):
        return carry + x * np.random.uniform(), None  # bug: host-random

    return jax.lax.scan(body, 0.0, xs)[0]


def run():
    return f(jnp.arange(3.0))
