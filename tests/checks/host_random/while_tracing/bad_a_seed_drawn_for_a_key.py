import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    key = jax.random.PRNGKey(np.random.randint(0, 2**31 - 1))  # bug: host-random
    return x + jax.random.normal(key, x.shape)


def run():
    return f(jnp.ones(3)), f(jnp.ones(3))
