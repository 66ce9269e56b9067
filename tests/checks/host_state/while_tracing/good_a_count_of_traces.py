import jax
import jax.numpy as jnp

traces = 0


@jax.jit
def f(x):
    global traces
    traces += 1  # note: host-state
    return x


def run():
    f(1.0), f(jnp.ones(3))
    return traces
