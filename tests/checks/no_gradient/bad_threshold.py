import jax
import jax.numpy as jnp


def learned():
    x = jnp.linspace(0.0, 3.0, 5)
    params = {"threshold": 1.0, "height": 2.0}

    def loss(params):
        return jnp.mean(jnp.where(x > params["threshold"], params["height"], 0.0))  # warning: no-gradient

    return jax.value_and_grad(loss)(params)
