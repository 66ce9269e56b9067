import jax
import jax.numpy as jnp


@jax.jit
def f(params):
    params["w"] = params["w"] * 2
    params["layers"].append(params["w"])
    return params


def run():
    return f({"w": jnp.ones(2), "layers": [1.0]})
