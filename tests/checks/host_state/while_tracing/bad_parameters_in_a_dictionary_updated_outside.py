import jax
import jax.numpy as jnp

params = {"w": jnp.ones(3)}


@jax.jit
def predict(x):
    return x @ params["w"]


def run():
    x = jnp.ones(3)
    for _ in range(3):
        y = predict(x)
        params["w"] = params["w"] - 0.1 * x  # bug: host-state
    return y
