"""Losses and scores of a column and a row, as they are met in issues and in teaching, in our own words.

After https://github.com/jax-ml/jax/issues/2697 (predictions of a last layer of one unit), https://github.com/google/flax/issues/23
(values of a critic against returns), https://github.com/google-deepmind/acme/issues/277 (log-probabilities times
weights), https://github.com/RLinf/RLinf/issues/1568 (returns as a column, values as a row),
https://github.com/thu-ml/tianshou/pull/159 (weights of a replay buffer) and
https://github.com/pytorch/pytorch/issues/19699 (the mean of the squares).
"""

import functools
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

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


def returns_as_a_column_and_values_as_a_row():
    returns = jax.random.uniform(KEY, (6, 1))

    def value_loss(params):
        values = (X @ params["w"]).squeeze()
        error = returns - values  # warning: rank-broadcast
        return 0.5 * jnp.mean(error**2)

    return jax.value_and_grad(value_loss)(P)


def log_probabilities_times_weights():
    def policy_loss(params, weights):
        log_p = jax.nn.log_sigmoid(model(params, X))
        return -jnp.mean(log_p * weights)  # warning: rank-broadcast

    return jax.grad(policy_loss)(P, jnp.exp(Y))


def weights_of_a_replay_buffer():
    weight = jnp.linspace(0.5, 1.0, 6)
    td = (X @ W) * 2.0
    return (td * weight).mean()  # warning: rank-broadcast


def error_of_one_step_ahead():
    reward, discount = Y, 0.99

    def loss(params):
        target = reward + discount * model(params, X + 1.0)  # warning: rank-broadcast
        return jnp.mean(target)

    return loss(P)


def sum_of_squares_and_then_the_mean():
    predicted = model(P, X)
    return jnp.sum((Y - predicted) ** 2, 1).mean()  # warning: rank-broadcast


def logistic_with_labels_of_one_and_minus_one():
    labels = jnp.sign(Y)
    logits = model(P, X)
    return jnp.mean(jnp.log1p(jnp.exp(-labels * logits)))  # warning: rank-broadcast


def cross_entropy_of_two_classes():
    p = dense(P, X)
    return -jnp.mean((Y > 0) * jnp.log(p))  # warning: rank-broadcast


def accuracy():
    return jnp.mean((dense(P, X) > 0.5) == (Y > 0))  # warning: rank-broadcast


def accuracy_as_a_method():
    predicted = jnp.round(dense(P, X))
    return (predicted == jnp.round(Y)).mean()  # warning: rank-broadcast


def absolute_error():
    return jnp.abs(model(P, X) - Y).mean()  # warning: rank-broadcast


def the_largest_error():
    return jnp.max(jnp.abs(Y - model(P, X)))  # warning: rank-broadcast


def root_of_the_mean_square():
    return jnp.sqrt(((model(P, X) - Y) ** 2).mean())  # warning: rank-broadcast


def share_of_the_variance():
    left = jnp.sum((Y - model(P, X)) ** 2)  # warning: rank-broadcast
    return 1 - left / jnp.sum((Y - Y.mean()) ** 2)


def norm_of_the_residual():
    return jnp.linalg.norm(model(P, X) - Y)  # warning: rank-broadcast


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


def a_lambda():
    loss = lambda p: jnp.mean((model(p, X) - Y) ** 2)  # warning: rank-broadcast # noqa: E731
    return jax.grad(loss)(P)


def targets_in_a_dictionary():
    batch = {"x": X, "y": Y}
    return jnp.mean((model(P, batch["x"]) - batch["y"]) ** 2)  # warning: rank-broadcast


def targets_in_a_record():
    class Batch(NamedTuple):
        x: jax.Array
        y: jax.Array

    batch = Batch(X, Y)
    return jnp.mean((model(P, batch.x) - batch.y) ** 2)  # warning: rank-broadcast


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


def each_batch_of_a_loop():
    total = 0.0
    for x, y in zip(jnp.split(X, 2), jnp.split(Y, 2), strict=True):
        total += jnp.mean((model(P, x) - y) ** 2)  # warning: rank-broadcast
    return total


def each_step_of_a_scan():
    def step(params, batch):
        x, y = batch
        grads = jax.grad(lambda p: jnp.mean((model(p, x) - y) ** 2))(params)  # warning: rank-broadcast
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), None

    return lax.scan(step, P, (X.reshape(2, 3, 3), jnp.split(Y, 2)[0] + jnp.zeros((2, 3))))


def numpy_targets():
    targets = np.arange(6.0, dtype=np.float32)
    return jnp.mean((model(P, X) - targets) ** 2)  # warning: rank-broadcast


def numpy_targets_on_the_left():
    targets = np.arange(6.0, dtype=np.float32)
    return jnp.mean((targets - model(P, X)) ** 2)  # warning: rank-broadcast


def a_column_of_a_table():
    table = jax.random.normal(KEY, (6, 4))
    x, y = table[:, :3], table[:, 3:]
    return jnp.mean((y - x @ jnp.ones(3)) ** 2)  # warning: rank-broadcast


def masked():
    mask = Y > 0
    squares = (model(P, X) - Y) ** 2  # warning: rank-broadcast
    return jnp.sum(jnp.where(mask, squares, 0.0)) / mask.sum()


def a_huber_loss_by_hand():
    error = jnp.abs(model(P, X) - Y)  # warning: rank-broadcast
    return jnp.mean(jnp.where(error < 1.0, 0.5 * error**2, error - 0.5))


def an_expectile_loss():
    def loss(q, v):
        diff = q - v  # warning: rank-broadcast
        weight = jnp.where(diff > 0, 0.8, 0.2)
        return (weight * diff**2).mean()

    return loss(Y, model(P, X))


def hinge():
    margin = jnp.sign(Y) * model(P, X)  # warning: rank-broadcast
    return jnp.mean(jnp.maximum(0.0, 1.0 - margin))


def advantages():
    advantage = Y - model(P, X)  # warning: rank-broadcast
    return (advantage**2).mean(), 1.0


def with_a_regularizer():
    def loss(params, x, y):
        return jnp.mean((model(params, x) - y) ** 2) + 0.1 * jnp.sum(params["w"] ** 2)  # warning: rank-broadcast

    return jax.jit(jax.value_and_grad(loss))(P, X, Y)


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


def a_model_of_one_weight():
    x = jax.random.normal(KEY, (6, 1))
    y = 2.0 * x[:, 0] + 1.0
    return jax.grad(lambda w: jnp.mean((w * x - y) ** 2))(1.0)  # warning: rank-broadcast


def a_list_of_lists():
    x = jnp.array([[1.0], [2.0], [3.0]])
    y = jnp.array([2.0, 4.0, 6.0])
    return jax.value_and_grad(lambda w: ((x * w - y) ** 2).sum())(0.5)  # warning: rank-broadcast


def all_are_equal():
    return (jnp.round(model(P, X)) == jnp.round(Y)).all()  # warning: rank-broadcast


def under_vmap_of_members():
    members = {"w": jnp.ones((2, 3, 1)), "b": jnp.zeros((2, 1))}
    return jax.vmap(lambda p: jnp.mean((model(p, X) - Y) ** 2))(members)  # warning: rank-broadcast


def with_rematerialization():
    @jax.checkpoint
    def loss(params):
        return jnp.mean((model(params, X) - Y) ** 2)  # warning: rank-broadcast

    return jax.grad(loss)(P)


def of_several_lines():
    return jnp.mean(
        (
            model(P, X)  # warning: rank-broadcast
            - Y
        )
        ** 2
    )
