import jax
import jax.numpy as jnp

carries = []


def body(carry, x):
    carries.append(carry)  # bug: leaked-tracer
    return carry + x, x


def run():
    return jax.lax.scan(body, 0.0, jnp.arange(3.0))
