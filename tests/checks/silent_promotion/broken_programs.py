"""Narrow floats that NumPy widens, as they are met in issues and in public models, in our own words.

After https://docs.jax.dev/en/latest/type_promotion.html (``np.float32(1)`` has a dtype, ``1.0`` has none),
https://github.com/jax-ml/jax/issues/4274 (numbers with an explicit type), https://github.com/p-doom/jasmine/pull/123 (a
video divided in NumPy), https://github.com/liesel-devs/liesel/issues/364 (float16 of a model becomes float32),
https://github.com/bh107/bohrium/issues/16 (``np.sqrt(4.0)`` widens and ``math.sqrt(4.0)`` does not); scales of
attention, tables of positions, masks and normalised pictures as public models have them.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

X = jnp.linspace(0.5, 2.0, 12, dtype=jnp.bfloat16).reshape(3, 4)
W = jnp.ones((4, 2), jnp.bfloat16)
ANGLES = np.sin(np.arange(12, dtype=np.float32)).reshape(3, 4)
MEAN, STD = np.array([0.4, 0.5, 0.6, 0.7], np.float32), np.float32(0.2)
KEY = jax.random.key(0)


def a_scale_of_attention():
    return jax.jit(lambda q, k: q @ k.T / np.sqrt(4))(X, X)  # warning: silent-promotion


def a_changed_variable():
    @jax.jit
    def scaled(x):
        x *= np.float32(3.0)  # warning: silent-promotion
        return x @ W

    return scaled(X)


def normalised_pictures():
    @jax.jit
    def normalised(pictures):
        return (pictures - MEAN) / 0.2  # warning: silent-promotion

    return normalised(X)


def positions():
    return jax.jit(lambda tokens: tokens + ANGLES)(X)  # warning: silent-promotion


def a_filled_mask():
    @jax.jit
    def masked(scores):
        return jnp.where(scores > 1, scores, np.finfo(np.float32).min)  # warning: silent-promotion

    return masked(X)


def a_product_of_matrices_without_jit():
    return X @ np.ones((4, 2), np.float32)  # warning: silent-promotion


def a_dot():
    weights = np.ones((4, 2), np.float32)
    return jax.jit(lambda x: jnp.dot(x, weights))(X)  # warning: silent-promotion


def a_random_initialisation():
    deviation = np.sqrt(2.0 / 4)
    return jax.random.normal(KEY, (4, 2), jnp.bfloat16) * deviation  # warning: silent-promotion


def a_model_of_layers():
    @jax.jit
    def model(x):
        for _ in range(2):
            x = jnp.tanh(x @ jnp.ones((4, 4), jnp.bfloat16) * np.sqrt(0.5))  # warning: silent-promotion
        return x

    return model(X)


def an_update_of_a_tree():
    rate = np.float64(0.1)
    params = {"w": W, "b": W[0]}
    return jax.tree.map(lambda p: p - 0.5 * (p * rate), params)  # warning: silent-promotion


def in_a_scan():
    @jax.jit
    def summed(x):
        def step(carry, row):
            scaled = row * np.float32(0.9)  # warning: silent-promotion
            return carry, scaled

        return lax.scan(step, 0, x)[1]

    return summed(X)


def for_each_example():
    return jax.vmap(lambda row: row * np.float32(0.9))(X)  # warning: silent-promotion


def in_a_gradient():
    def loss(w):
        y = (X @ w) * np.sqrt(0.5)  # warning: silent-promotion
        return jnp.sum((y @ y.T) ** 2)

    return jax.grad(loss)(W)


def in_a_checkpoint():
    return jax.jit(jax.checkpoint(lambda x: jnp.sin(x) * np.float32(2)))(X)  # warning: silent-promotion


def double_precision_of_an_array():
    with jax.enable_x64(True):
        return jax.jit(lambda x: x + np.linspace(0.0, 1.0, 4))(jnp.ones(4, jnp.float32))  # warning: silent-promotion
