"""Narrow floats that stay narrow, or that are widened on purpose; in our own words.

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
TARGETS = np.ones((3, 4), np.float32)
KEY = jax.random.key(0)


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
