"""Narrow floats that NumPy widens, as they are met in issues and in public models, in our own words.

After https://docs.jax.dev/en/latest/type_promotion.html (``np.float32(1)`` has a dtype, ``1.0`` has none),
https://github.com/jax-ml/jax/issues/4274 (numbers with an explicit type), https://github.com/p-doom/jasmine/pull/123 (a
video divided in NumPy), https://github.com/liesel-devs/liesel/issues/364 (float16 of a model becomes float32),
https://github.com/bh107/bohrium/issues/16 (``np.sqrt(4.0)`` widens and ``math.sqrt(4.0)`` does not); scales of
attention, tables of positions, masks and normalised pictures as public models have them.
"""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

X = jnp.linspace(0.5, 2.0, 12, dtype=jnp.bfloat16).reshape(3, 4)
W = jnp.ones((4, 2), jnp.bfloat16)
H = X.astype(jnp.float16)
ANGLES = np.sin(np.arange(12, dtype=np.float32)).reshape(3, 4)
MEAN, STD = np.array([0.4, 0.5, 0.6, 0.7], np.float32), np.float32(0.2)
HALF = jnp.float32(0.5)
KEY = jax.random.key(0)


def a_scale_of_attention():
    return jax.jit(lambda q, k: q @ k.T / np.sqrt(4))(X, X)  # warning: silent-promotion


def a_scale_before_the_product():
    @jax.jit
    def attend(q, k):
        scale = 1.0 / np.sqrt(q.shape[-1])
        return (q * scale) @ k.T  # warning: silent-promotion

    return attend(X, X)


def attention_of_two_steps():
    @jax.jit
    def attend(q, k, v):
        scores = jnp.einsum("qd,kd->qk", q, k) / np.sqrt(q.shape[-1])  # warning: silent-promotion
        weights = jax.nn.softmax(scores)
        return weights @ v

    return attend(X, X, X)


def a_number_of_float32():
    return X * np.float32(2.0)  # warning: silent-promotion


def a_number_on_the_left():
    return np.float32(2.0) * X  # warning: silent-promotion


def a_number_of_float64():
    return X + np.float64(1e-3)  # warning: silent-promotion


def half_precision():
    return H - np.float32(0.5)  # warning: silent-promotion


def a_quotient():
    return jax.jit(lambda x: x / np.float32(255.0))(X)  # warning: silent-promotion


def a_power():
    return jax.jit(lambda x: x ** np.float32(1.5))(X)  # warning: silent-promotion


def a_number_of_a_power():
    return jax.jit(lambda x: np.float32(10000.0) ** x)(X)  # warning: silent-promotion


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


def divided_by_a_deviation():
    return jax.jit(lambda pictures: pictures / STD)(X)  # warning: silent-promotion


def positions():
    return jax.jit(lambda tokens: tokens + ANGLES)(X)  # warning: silent-promotion


def positions_without_jit():
    return X + ANGLES  # warning: silent-promotion


def positions_on_the_left():
    return jax.jit(lambda tokens: ANGLES + tokens)(X)  # warning: silent-promotion


def rotated_positions():
    @jax.jit
    def rotated(x):
        first, second = jnp.split(x, 2, axis=-1)
        return jnp.concatenate([first * ANGLES[:, :2], second], axis=-1)  # warning: silent-promotion

    return rotated(X)


def a_mask_of_numpy():
    mask = np.tril(np.ones((3, 4), np.float32))
    return jax.jit(lambda scores: scores * mask)(X)  # warning: silent-promotion


def a_bias_of_infinities():
    bias = np.where(np.tril(np.ones((3, 3))) > 0, 0.0, -1e9).astype(np.float32)

    @jax.jit
    def attend(q):
        scores = q @ q.T + bias  # warning: silent-promotion
        return jax.nn.softmax(scores) @ q

    return attend(X)


def a_filled_mask():
    @jax.jit
    def masked(scores):
        return jnp.where(scores > 1, scores, np.finfo(np.float32).min)  # warning: silent-promotion

    return masked(X)


def a_least_value():
    return jax.jit(lambda x: jnp.maximum(x, np.float32(0.0)))(X)  # warning: silent-promotion


def a_greatest_value():
    return jax.jit(lambda x: jnp.minimum(np.float32(6.0), x))(X)  # warning: silent-promotion


def clipped():
    return jax.jit(lambda x: jnp.clip(x, np.float32(0.0), 1.0))(X)  # warning: silent-promotion


def a_sum_by_name():
    return jax.jit(lambda x: jnp.add(x, np.float32(1.0)))(X)  # warning: silent-promotion


def a_product_by_name():
    return jax.jit(lambda x: jnp.multiply(np.float32(0.1), x))(X)  # warning: silent-promotion


def a_product_of_matrices():
    weights = np.ones((4, 2), np.float32)
    return jax.jit(lambda x: x @ weights)(X)  # warning: silent-promotion


def a_product_of_matrices_without_jit():
    return X @ np.ones((4, 2), np.float32)  # warning: silent-promotion


def a_dot():
    weights = np.ones((4, 2), np.float32)
    return jax.jit(lambda x: jnp.dot(x, weights))(X)  # warning: silent-promotion


def a_constant_of_jax():
    return jax.jit(lambda x: x * HALF)(X)  # warning: silent-promotion


def a_constant_made_outside():
    scale = jnp.array(0.1, jnp.float32)

    @jax.jit
    def layer(x):
        return (x * scale) @ W  # warning: silent-promotion

    return layer(X)


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


def an_update_of_weights():
    @jax.jit
    def update(w, slope):
        return w - np.float32(0.1) * slope  # warning: silent-promotion

    return update(W, W)


def an_update_of_a_tree():
    rate = np.float64(0.1)
    params = {"w": W, "b": W[0]}
    return jax.tree.map(lambda p: p - 0.5 * (p * rate), params)  # warning: silent-promotion


def a_learning_rate_of_a_cosine():
    rate = 0.5 * (1 + np.cos(np.pi * 0.3))
    return jax.jit(lambda w: w * rate)(W)  # warning: silent-promotion


def a_residual():
    @jax.jit
    def block(x):
        def branch(x):
            return jnp.tanh(x) * np.float32(1 / math.sqrt(2))  # warning: silent-promotion

        return x + branch(x)

    return block(X)


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


def a_partial():
    def scaled(by, x):
        return x * by  # warning: silent-promotion

    return jax.jit(functools.partial(scaled, np.float32(2.0)))(X)


def a_mean_of_numpy():
    mean = ANGLES.mean()
    return jax.jit(lambda x: x - mean)(X)  # warning: silent-promotion


def double_precision():
    with jax.enable_x64(True):
        x = jnp.ones(3, jnp.float32)
        return x * np.sqrt(2.0)  # warning: silent-promotion


def double_precision_of_an_array():
    with jax.enable_x64(True):
        return jax.jit(lambda x: x + np.linspace(0.0, 1.0, 4))(jnp.ones(4, jnp.float32))  # warning: silent-promotion
