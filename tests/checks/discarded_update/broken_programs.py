"""Updates of arrays whose result is thrown away, as they are met in public code, in our own words.

After https://github.com/reservoirpy/reservoirpy/issues/234 (features, delay buffers, predictions and signs are not
written), https://github.com/jax-ml/jax/issues/2287 (a trajectory), https://github.com/jax-ml/jax/pull/7783 (a jitted
function that returns nothing), and replay buffers, masks, boundaries and counters of simulations.
"""

import jax
import jax.numpy as jnp
from jax import lax

X = jnp.zeros((4, 3))


def a_number():
    x = jnp.zeros(3)
    x.at[0].set(1.0)  # bug: discarded-update
    return x


def every_second():
    x = X
    x.at[::2].multiply(3.0)  # bug: discarded-update
    return x


def the_smaller_one():
    x = jnp.ones(3)
    x.at[2].min(0.5)  # bug: discarded-update
    return x


def a_function_of_it():
    x = jnp.ones(3)
    x.at[1].apply(jnp.sin)  # bug: discarded-update
    return x


def twice():
    x = jnp.zeros(3)
    x.at[0].set(1.0)  # bug: discarded-update
    x.at[1].set(2.0)  # bug: discarded-update
    return x


def in_a_branch():
    x = jnp.zeros(3)
    if x.sum() == 0:
        x.at[0].set(1.0)  # bug: discarded-update
    return x


def in_jit():
    @jax.jit
    def step(x):
        x.at[0].set(1.0)  # bug: discarded-update
        return x

    return step(jnp.zeros(3))


def in_a_jitted_function_that_returns_nothing():
    @jax.jit
    def write(x, index, value):
        x.at[index].set(value)  # bug: discarded-update

    x = jnp.ones(3)
    write(x, 0, -1.0)
    return x


def in_vmap():
    def clipped(x):
        x.at[0].min(0.0)  # bug: discarded-update
        return x

    return jax.vmap(clipped)(X + 1)


def in_grad():
    def loss(w):
        w.at[0].set(0.0)  # bug: discarded-update
        return (w**2).sum()

    return jax.grad(loss)(jnp.ones(3))


def in_a_fori_loop():
    def body(index, x):
        x.at[index].set(1.0)  # bug: discarded-update
        return x

    return lax.fori_loop(0, 3, body, jnp.zeros(3))


def of_features_that_are_written():
    store, features = jnp.arange(6.0).reshape(3, 2), jnp.zeros(4)
    features.at[:2].set(store[0])  # bug: discarded-update
    features.at[2:].set(store[0] * store[1])  # bug: discarded-update
    return features


def of_a_causal_mask():
    scores = jnp.zeros((3, 3))
    scores.at[jnp.triu_indices(3, 1)].set(-jnp.inf)  # bug: discarded-update
    return jax.nn.softmax(scores)


def of_keys():
    keys = jax.random.split(jax.random.key(0), 3)
    keys.at[0].set(jax.random.key(1))  # bug: discarded-update
    return keys
