"""Narrow floats that NumPy widens, as they are met in issues and in public models, in our own words.

After https://docs.jax.dev/en/latest/type_promotion.html (``np.float32(1)`` has a dtype, ``1.0`` has none),
https://github.com/jax-ml/jax/issues/4274 (numbers with an explicit type), https://github.com/p-doom/jasmine/pull/123 (a
video divided in NumPy), https://github.com/liesel-devs/liesel/issues/364 (float16 of a model becomes float32),
https://github.com/bh107/bohrium/issues/16 (``np.sqrt(4.0)`` widens and ``math.sqrt(4.0)`` does not); scales of
attention, tables of positions, masks and normalised pictures as public models have them.

Sound ones: narrow floats that stay narrow, or that are widened on purpose; in our own words.

After https://docs.jax.dev/en/latest/type_promotion.html (Python numbers), the policies of mixed precision of
https://github.com/google-deepmind/jmp (weights in float32, activations in bfloat16, outputs in float32), softmax,
norms and losses in float32, and ``preferred_element_type`` of products.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

X = jnp.linspace(0.5, 2.0, 12, dtype=jnp.bfloat16).reshape(3, 4)
W = jnp.ones((4, 2), jnp.bfloat16)
ANGLES = np.sin(np.arange(12, dtype=np.float32)).reshape(3, 4)
KEY = jax.random.key(0)
TARGETS = np.ones((3, 4), np.float32)


# -- programs -------------------------------------------------------------------------------------


def a_changed_variable():
    @jax.jit
    def scaled(x):
        x *= np.float32(3.0)  # warning: silent-promotion
        return x @ W

    return scaled(X)


def a_filled_mask():
    @jax.jit
    def masked(scores):
        return jnp.where(scores > 1, scores, np.finfo(np.float32).min)  # warning: silent-promotion

    return masked(X)


def a_product_of_matrices_without_jit():
    return X @ np.ones((4, 2), np.float32)  # warning: silent-promotion


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


# -- sound ----------------------------------------------------------------------------------------


def python_numbers():
    return jax.jit(lambda x: (2.0 * x + 1) / 3)(X)


def a_constant_of_numpys_that_is_a_float():
    return X * np.pi + np.e


def narrowed_after_a_while():
    @jax.jit
    def attend(q, k, v):
        scores = q @ k.T / np.sqrt(q.shape[-1])
        weights = jax.nn.softmax(scores, axis=-1)
        return weights.astype(v.dtype) @ v

    return attend(X, X, X)


def narrowed_by_a_function():
    return jnp.asarray(X + ANGLES, jnp.bfloat16), lax.convert_element_type(X * np.float32(3), jnp.bfloat16)


def narrowed_outside_of_jit():
    return jax.jit(lambda x: x / np.float32(255.0))(X).astype(jnp.float16)


def an_error_that_is_compared():
    error = X - TARGETS
    return bool(jnp.all(jnp.abs(error) < 3))


def a_product_that_says_its_dtype():
    weights = np.ones((4, 2), np.float32)
    return jax.jit(lambda x: jnp.matmul(x, weights, preferred_element_type=jnp.float32))(X)


def random_numbers():
    return jax.random.normal(KEY, (3,), jnp.bfloat16), jax.random.truncated_normal(KEY, -2, 2, (3,), jnp.bfloat16)


def numpy_alone():
    return ANGLES.astype(np.float16) * np.float32(2)


def a_norm_in_float32():
    @jax.jit
    def norm(x):
        wide = x.astype(jnp.float32)
        scale = np.ones(4, np.float32)
        return (wide * lax.rsqrt(jnp.mean(wide**2, axis=-1, keepdims=True) + np.float32(1e-6)) * scale).astype(x.dtype)

    return norm(X)


def a_norm_that_meets_float32():
    scale = jnp.ones(4)
    return jax.jit(lambda x, scale: (x * np.float32(0.5)) * scale)(X, scale)


# -- fixed ----------------------------------------------------------------------------------------


TABLE = np.sin(np.arange(8, dtype=np.float32)).reshape(2, 4)


def array():
    # fixed "return x + jnp.asarray(TABLE, jnp.bfloat16)"
    @jax.jit
    def add_positions(x):
        return x + TABLE  # warning: silent-promotion

    return add_positions(jnp.ones((2, 4), jnp.bfloat16))


def number():
    # fixed "return x * 0.5"
    x = jnp.ones(4, jnp.float16)
    return x * np.float32(0.5)  # warning: silent-promotion


def scale():
    # fixed "return q @ k.T / float(np.sqrt(k.shape[-1]))"
    # fixed "return q @ k.T / jnp.asarray(np.sqrt(k.shape[-1]), jnp.bfloat16)"
    @jax.jit
    def attend(q, k):
        return q @ k.T / np.sqrt(k.shape[-1])  # warning: silent-promotion

    q = jnp.ones((3, 4), jnp.bfloat16)
    return attend(q, q)


def converted():
    # in full
    @jax.jit
    def attend(q, k):
        scores = q @ k.T / np.sqrt(k.shape[-1])
        return jax.nn.softmax(scores).astype(q.dtype)

    q = jnp.ones((3, 4), jnp.bfloat16)
    return attend(q, q * 0.5)
