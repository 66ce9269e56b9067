import jax
import jax.numpy as jnp

registry = {}


def register(name, x):
    registry[name] = x.shape  # note: host-state
    return x


@jax.jit
def f(x):
    return register("x", x) * 2


def run():
    return f(jnp.ones(3))
