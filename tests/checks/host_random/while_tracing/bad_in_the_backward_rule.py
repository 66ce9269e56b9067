import jax
import numpy as np


@jax.custom_vjp
def noisy_identity(x):
    return x


def forward(x):
    return x, None


def backward(_, g):
    return (g * (1 + np.random.normal()),)  # bug: host-random


noisy_identity.defvjp(forward, backward)


def run():
    return jax.jit(jax.grad(lambda x: noisy_identity(x) ** 2))(1.0)
