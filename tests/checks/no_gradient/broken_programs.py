"""Parameters that never learn, as they are met in issues and in teaching, in our own words.

After https://github.com/google-deepmind/dm-haiku/issues/442 (argmax in a loss), https://github.com/tensorflow/tensorflow/issues/897
(rounding by a cast to integers), https://github.com/apache/mxnet/pull/9040 (round, ceil, floor and trunc have the
gradient 0), https://github.com/pytorch/pytorch/issues/1339 (what comes before an argmax is not trained),
thresholds that are compared, samples of a Bernoulli distribution, and spikes without a surrogate.
"""

import functools

import jax
import jax.numpy as jnp
from jax import lax

KEY = jax.random.key(0)
X = jnp.linspace(-1.0, 2.0, 6)
Y = jnp.cos(X)
TABLE = jnp.arange(12.0).reshape(4, 3)
W = jnp.array([0.3, 1.2, -0.7])
P = {"w": W, "t": jnp.float32(0.5)}


def a_cast_to_integers_and_an_index():
    def loss(position):
        cell = jnp.int32(position)  # warning: no-gradient
        return X[cell]

    return jax.grad(loss)(2.3)


def pixels_of_bytes():
    def loss(scale):
        pixels = (X * scale).astype(jnp.uint8)  # warning: no-gradient
        return jnp.mean(pixels / 255.0)

    return jax.grad(loss)(90.0)


def in_jit():
    @jax.jit
    def step(s):
        return s - 0.1 * jax.grad(lambda s: jnp.sum(jnp.round(X * s) ** 2))(s)  # warning: no-gradient

    return step(1.1)


def of_a_jitted_function():
    @jax.jit
    def loss(s):
        return jnp.sum(jnp.round(X * s) ** 2)  # warning: no-gradient

    return jax.grad(loss)(1.1)


def of_a_jitted_helper():
    @jax.jit
    def quantize(x):
        return jnp.floor(x * 4.0) / 4.0  # warning: no-gradient

    return jax.grad(lambda w: jnp.sum(quantize(w) * w.shape[0]))(W)


def in_a_branch():
    def loss(params):
        return lax.cond(
            X[0] < 0,
            lambda p: p["a"] * jnp.sign(p["b"]),  # warning: no-gradient
            lambda p: p["a"],
            params,
        )

    return jax.grad(loss)({"a": 2.0, "b": 0.3})


def in_a_checkpoint():
    @jax.checkpoint
    def layer(w):
        return jnp.sum(jnp.round(w))  # warning: no-gradient

    return jax.grad(layer)(W)


def a_vmap_in_the_loss():
    def loss(w):
        return jnp.mean(jax.vmap(lambda row: jnp.argmax(row * w) * 1.0)(TABLE))  # warning: no-gradient

    return jax.grad(loss)(W)


def all_stopped():
    def loss(w):
        predicted = TABLE @ w
        return jnp.mean((lax.stop_gradient(predicted) - 1.0) ** 2)  # warning: no-gradient

    return jax.grad(loss)(W)


def all_of_a_vjp():
    _, backward = jax.vjp(lambda w: jnp.floor(w), W)  # warning: no-gradient
    return backward(jnp.ones(3))


def a_partial():
    def loss(x, s):
        return jnp.sum(jnp.round(x * s))  # warning: no-gradient

    return jax.grad(functools.partial(loss, X))(1.2)


def a_histogram():
    def loss(edges):
        place = jnp.digitize(X, jnp.sort(edges))  # warning: no-gradient
        return jnp.mean(place * Y)

    return jax.grad(loss)(W)


def of_parts_of_a_class():
    @jax.tree_util.register_pytree_node_class
    class Layer:
        def __init__(self, w):
            self.w = w

        def tree_flatten(self):
            return (self.w,), None

        @classmethod
        def tree_unflatten(cls, _, children):
            return cls(*children)

    return jax.grad(lambda layer: jnp.sum(jnp.floor(layer.w)))(Layer(W))  # warning: no-gradient


def of_an_estimate_whose_target_is_stopped():
    def loss(w):
        target = 1.0 + lax.stop_gradient(TABLE[1] @ w)
        return (jnp.round(TABLE[0] @ w) - target) ** 2  # warning: no-gradient

    return jax.grad(loss)(W)
