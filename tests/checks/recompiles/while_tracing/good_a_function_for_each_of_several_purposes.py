import jax
import jax.numpy as jnp


def fit(activation):
    @jax.jit
    def step(w):
        return activation(w) * 0.9

    return step(1.0)


def run():
    return [fit(each) for each in (jnp.sin, jnp.cos, jnp.tanh, jax.nn.relu, jnp.exp)]
