import jax
import jax.numpy as jnp

kept = []


def run():
    y, pullback = jax.vjp(jnp.sin, 1.0)
    kept.append(pullback)
    return pullback(1.0)
