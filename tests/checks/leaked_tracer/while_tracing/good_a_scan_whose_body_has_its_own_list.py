import jax
import jax.numpy as jnp


def run():
    def body(carry, x):
        parts = [carry]
        parts.append(x)
        return sum(parts), None

    return jax.lax.scan(body, 0.0, jnp.arange(3.0))
