import jax
import jax.numpy as jnp
import numpy as np


def make_noise(scale, rng=np.random.default_rng(3)):
    def noise(shape):
        return scale * rng.normal(size=shape)  # bug: host-random

    return noise


noise = make_noise(0.1)
f = jax.jit(lambda x: jnp.sin(x) + noise(x.shape))


def run():
    return f(jnp.ones(3)), f(jnp.ones(3))
