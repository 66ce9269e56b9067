import jax
import jax.numpy as jnp


def quantized():
    def loss(x):
        return jnp.sum(x + jax.lax.stop_gradient(jnp.round(x) - x))

    return jax.grad(loss)(jnp.linspace(0.0, 3.0, 5))
