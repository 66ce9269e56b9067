"""Losses and scores of a column and a row, as they are met in issues and in teaching, in our own words.

After https://github.com/jax-ml/jax/issues/2697 (predictions of a last layer of one unit), https://github.com/google/flax/issues/23
(values of a critic against returns), https://github.com/google-deepmind/acme/issues/277 (log-probabilities times
weights), https://github.com/RLinf/RLinf/issues/1568 (returns as a column, values as a row),
https://github.com/thu-ml/tianshou/pull/159 (weights of a replay buffer) and
https://github.com/pytorch/pytorch/issues/19699 (the mean of the squares).
"""

import functools
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

KEY = jax.random.key(0)
X = jax.random.normal(KEY, (6, 3))
Y = jnp.sin(X[:, 0])
W = jnp.ones((3, 1))
P = {"w": W, "b": jnp.zeros(1)}


def model(params, x):
    return x @ params["w"] + params["b"]


def dense(params, x):
    h = jnp.tanh(x @ jnp.ones((3, 4)))
    return jax.nn.sigmoid(h @ jnp.ones((4, 1)) * params["b"])


def last_layer_of_one_unit():
    def loss(params):
        return jnp.mean((model(params, X) - Y) ** 2)  # warning: rank-broadcast

    return jax.grad(loss)(P)


def in_a_compiled_step():
    @jax.jit
    def step(params, x, y):
        def loss(params):
            predictions = model(params, x)
            return jnp.mean(jnp.square(predictions - y))  # warning: rank-broadcast

        grads = jax.grad(loss)(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)

    return step(P, X, Y)


def values_of_a_critic_and_returns():
    returns = jnp.arange(6.0)
    return jnp.square(model(P, X) - returns).mean()  # warning: rank-broadcast


def cross_entropy_of_two_classes():
    p = dense(P, X)
    return -jnp.mean((Y > 0) * jnp.log(p))  # warning: rank-broadcast


def a_likelihood():
    def log_likelihood(mean, sigma):
        z = (Y - mean) / sigma  # warning: rank-broadcast
        return jnp.sum(-0.5 * z**2 - jnp.log(sigma))

    return jax.grad(log_likelihood)(model(P, X), 1.0)


def a_helper_that_returns_the_squares():
    def squared(prediction, target):
        return (prediction - target) ** 2  # warning: rank-broadcast

    return jnp.mean(squared(model(P, X), Y))


def a_helper_for_the_whole_loss():
    def mse(prediction, target):
        return ((prediction - target) ** 2).mean()  # warning: rank-broadcast

    return jax.jit(lambda p: mse(model(p, X), Y))(P)


def a_model_as_a_class():
    @dataclass
    class Linear:
        w: jax.Array

        def __call__(self, x):
            return x @ self.w

    return ((Linear(W)(X) - Y) ** 2).sum()  # warning: rank-broadcast


def a_model_mapped_over_examples():
    def one(params, x):
        return x @ params["w"] + params["b"]

    predicted = jax.vmap(one, (None, 0))(P, X)
    return jnp.mean((predicted - Y) ** 2)  # warning: rank-broadcast


def numpy_targets():
    targets = np.arange(6.0, dtype=np.float32)
    return jnp.mean((model(P, X) - targets) ** 2)  # warning: rank-broadcast


def a_column_of_a_table():
    table = jax.random.normal(KEY, (6, 4))
    x, y = table[:, :3], table[:, 3:]
    return jnp.mean((y - x @ jnp.ones(3)) ** 2)  # warning: rank-broadcast


def a_partial_of_a_loss():
    def loss(x, y, params):
        return jnp.mean((model(params, x) - y) ** 2)  # warning: rank-broadcast

    return jax.grad(functools.partial(loss, X, Y))(P)


def a_residual_of_an_equation():
    def u(t):
        return jnp.sin(t)

    t = jax.random.uniform(KEY, (6, 1))
    slope = jax.vmap(lambda s: jax.grad(u)(s[0]))(t)
    residual = slope + u(t)  # warning: rank-broadcast
    return jnp.mean(residual**2)


def with_rematerialization():
    @jax.checkpoint
    def loss(params):
        return jnp.mean((model(params, X) - Y) ** 2)  # warning: rank-broadcast

    return jax.grad(loss)(P)
