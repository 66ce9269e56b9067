import jax
import jax.numpy as jnp


def init_layer(params, name, n):
    params[name] = jnp.ones(n)
    return params


@jax.jit
def init(x):
    params = {}
    for i in range(3):
        params = init_layer(params, f"layer{i}", i + 1)
    return params


def run():
    return init(1.0)
