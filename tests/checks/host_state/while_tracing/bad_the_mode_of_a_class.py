import jax
import jax.numpy as jnp


class Config:
    deterministic = False


@jax.jit
def dropout(x, key):
    if Config.deterministic:
        return x
    return x * jax.random.bernoulli(key, 0.5, x.shape)


def run():
    x, key = jnp.ones(4), jax.random.key(0)
    a = dropout(x, key)
    Config.deterministic = True  # bug: host-state
    return a, dropout(x, key)
