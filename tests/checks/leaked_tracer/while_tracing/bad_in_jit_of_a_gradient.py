import jax
import jax.numpy as jnp

norms = []


def loss(w):
    norms.append(jnp.abs(w))  # bug: leaked-tracer
    return w**2


def run():
    return jax.jit(jax.value_and_grad(loss))(1.0)
