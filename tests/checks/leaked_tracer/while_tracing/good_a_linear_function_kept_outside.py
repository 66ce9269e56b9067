import jax
import jax.numpy as jnp

kept = []


def run():
    y, push = jax.linearize(jnp.sin, 1.0)
    kept.append(push)
    return push(1.0)
