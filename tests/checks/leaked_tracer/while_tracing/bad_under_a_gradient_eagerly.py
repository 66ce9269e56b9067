import jax
import jax.numpy as jnp

activations = []


def loss(w):
    activations.append(jnp.sin(w))  # bug: leaked-tracer
    return w**2


def run():
    return jax.grad(loss)(1.0)
