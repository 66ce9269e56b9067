import jax
import jax.numpy as jnp


def quantized():
    x = jnp.linspace(0.0, 3.0, 5)

    @jax.jit
    def loss(scale):
        levels = x * scale
        return jnp.sum(((levels + jax.lax.stop_gradient(jnp.round(levels) - levels)) - 1.3) ** 2)

    return jax.grad(loss)(0.7)
