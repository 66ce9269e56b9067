import jax
import jax.numpy as jnp

seen = []


@jax.checkpoint
def block(x):
    seen.append(jnp.sin(x))  # bug: leaked-tracer
    return jnp.sin(x)


def run():
    return jax.jit(jax.grad(block))(1.0)
