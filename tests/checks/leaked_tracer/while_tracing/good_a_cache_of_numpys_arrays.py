import jax
import jax.numpy as jnp
import numpy as np

cache = {}


@jax.jit
def f(x):
    if "t" not in cache:
        cache["t"] = np.arange(3.0)  # note: host-state
    return x + cache["t"]


def run():
    return f(jnp.ones(3)), f(jnp.ones((2, 3)))
