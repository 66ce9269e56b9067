"""Narrow floats that stay narrow, or that are widened on purpose; in our own words.

After https://docs.jax.dev/en/latest/type_promotion.html (Python numbers), the policies of mixed precision of
https://github.com/google-deepmind/jmp (weights in float32, activations in bfloat16, outputs in float32), softmax,
norms and losses in float32, and ``preferred_element_type`` of products.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

X = jnp.linspace(0.5, 2.0, 12, dtype=jnp.bfloat16).reshape(3, 4)
W = jnp.ones((4, 2), jnp.bfloat16)
FULL = jnp.ones((4, 2), jnp.float32)
ANGLES = np.sin(np.arange(12, dtype=np.float32)).reshape(3, 4)
TARGETS = np.ones((3, 4), np.float32)
KEY = jax.random.key(0)


def python_numbers():
    return jax.jit(lambda x: (2.0 * x + 1) / 3)(X)


def a_scale_by_math():
    return jax.jit(lambda q, k: q @ k.T / math.sqrt(4))(X, X)


def a_scale_as_a_python_number():
    return jax.jit(lambda q, k: q @ k.T / float(np.sqrt(4)))(X, X)


def a_constant_of_numpys_that_is_a_float():
    return X * np.pi + np.e


def a_table_of_the_same_dtype():
    return jax.jit(lambda x: x + jnp.asarray(ANGLES, x.dtype))(X)


def integers_of_numpy():
    return X * np.int32(2) + np.arange(4)


def booleans_of_numpy():
    return X * np.array([True, False, True, True])


def compared():
    return jax.jit(lambda x: jnp.where(x > np.float32(1.0), x, 0))(X)


def widened_first():
    return X.astype(jnp.float32) * np.float32(2.0)


def narrowed_at_once():
    return (X * np.float32(2.0)).astype(jnp.bfloat16)


def narrowed_after_a_while():
    @jax.jit
    def attend(q, k, v):
        scores = q @ k.T / np.sqrt(q.shape[-1])
        weights = jax.nn.softmax(scores, axis=-1)
        return weights.astype(v.dtype) @ v

    return attend(X, X, X)


def narrowed_by_the_caller():
    def scaled(x):
        return x * np.float32(2.0)

    return jax.jit(lambda x: scaled(x).astype(x.dtype))(X)


def narrowed_by_a_function():
    return jnp.asarray(X + ANGLES, jnp.bfloat16), lax.convert_element_type(X * np.float32(3), jnp.bfloat16)


def narrowed_outside_of_jit():
    return jax.jit(lambda x: x / np.float32(255.0))(X).astype(jnp.float16)


def a_tree_that_is_narrowed():
    return jax.tree.map(lambda p: (p - np.float32(0.1) * p).astype(p.dtype), {"w": W})


def a_loss_in_float32():
    return jnp.mean((X - TARGETS) ** 2)


def a_loss_in_a_function():
    def loss(predicted, wanted):
        return jnp.square(predicted - wanted)

    return jnp.mean(loss(X, TARGETS))


def a_loss_of_rows():
    return jax.jit(lambda x: jnp.sum(jnp.abs(x - TARGETS), axis=-1))(X)


def an_error_that_is_compared():
    error = X - TARGETS
    return bool(jnp.all(jnp.abs(error) < 3))


def weights_in_float32():
    @jax.jit
    def step(w, slope):
        return w - np.float32(0.1) * slope

    return step(FULL, W)


def a_product_in_float32():
    return jax.jit(lambda x: jnp.dot(x, W, preferred_element_type=jnp.float32))(X)


def a_product_that_says_its_dtype():
    weights = np.ones((4, 2), np.float32)
    return jax.jit(lambda x: jnp.matmul(x, weights, preferred_element_type=jnp.float32))(X)


def weights_of_an_argument():
    return jax.jit(lambda x, w: x @ w)(X, FULL)


def a_sum_in_float32():
    return jnp.sum(X, dtype=jnp.float32), jnp.mean(X, dtype=jnp.float32) * np.float32(2)


def functions_of_jax():
    return jax.jit(lambda x: jax.nn.gelu(jax.nn.softmax(x)) + jax.nn.standardize(x) + jnp.sin(x))(X)


def random_numbers():
    return jax.random.normal(KEY, (3,), jnp.bfloat16), jax.random.truncated_normal(KEY, -2, 2, (3,), jnp.bfloat16)


def full_precision_with_numpy():
    return jax.jit(lambda x: x * np.float64(2.0))(jnp.ones(3)), jnp.ones(3) + ANGLES[0, :3]


def full_precision_of_64_bits():
    with jax.enable_x64(True):
        return jnp.ones(3) * np.sqrt(2.0), jnp.ones(3, jnp.float32) * 2.0


def double_precision_that_is_narrowed():
    with jax.enable_x64(True):
        return (jnp.ones(3, jnp.float32) * np.sqrt(2.0)).astype(jnp.float32)


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


def a_constant_of_the_same_dtype():
    half = jnp.bfloat16(0.5)
    return jax.jit(lambda x: x * half)(X), X * np.asarray(2, jnp.bfloat16)
