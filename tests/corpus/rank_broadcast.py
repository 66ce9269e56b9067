"""Losses and scores of a column and a row, as they are met in issues and in teaching, in our own words.

After https://github.com/jax-ml/jax/issues/2697 (predictions of a last layer of one unit), https://github.com/google/flax/issues/23
(values of a critic against returns), https://github.com/google-deepmind/acme/issues/277 (log-probabilities times
weights), https://github.com/RLinf/RLinf/issues/1568 (returns as a column, values as a row),
https://github.com/thu-ml/tianshou/pull/159 (weights of a replay buffer) and
https://github.com/pytorch/pytorch/issues/19699 (the mean of the squares).

Sound ones: pairs that are meant, shapes that fit, and shapes that do not but are not reduced; in our own words.

After pairwise distances and kernels of many projects (https://github.com/itepastra/QGAN-QAS,
https://github.com/sumahn/c2st), one-hot vectors (https://github.com/jax-ml/jax/pull/2901), targets as
columns (https://github.com/joaogui1/jax-ml) and losses that take the axis away first (https://github.com/thu-ml/tianshou/pull/159).
"""

import jax
import jax.numpy as jnp
import numpy as np

KEY = jax.random.key(0)
X = jax.random.normal(jax.random.key(1), (6, 3))
Y = jnp.sin(X[:, 0])
W = jnp.ones((3, 1))
P = {"w": W, "b": jnp.zeros(1)}


def model(params, x):
    return x @ params["w"] + params["b"]


def dense(params, x):
    h = jnp.tanh(x @ jnp.ones((3, 4)))
    return jax.nn.sigmoid(h @ jnp.ones((4, 1)) * params["b"])


# -- programs -------------------------------------------------------------------------------------


def last_layer_of_one_unit():
    def loss(params):
        return jnp.mean((model(params, X) - Y) ** 2)  # warning: rank-broadcast

    return jax.grad(loss)(P)


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


# -- sound ----------------------------------------------------------------------------------------


def by_an_index():
    return jnp.mean((model(P, X)[:, 0] - Y) ** 2)


def all_pairs_by_none():
    return jnp.abs(Y[:, None] - Y).mean()


def a_kernel_that_gets_a_column_by_name():
    def kernel(a, b):
        return jnp.exp(-0.5 * (a - b) ** 2)

    column = Y[:, None]
    return jnp.mean(jax.jit(kernel)(b=Y, a=column))


def radial_features_with_weights():
    x, centers = jax.random.normal(KEY, (6, 1)), jnp.linspace(-1, 1, 6)
    return jnp.mean(jnp.exp(-((x - centers) ** 2)) @ jnp.ones(6))


def a_table_reduced_along_one_axis():
    kernel = jax.random.normal(KEY, (6, 1)) - jnp.linspace(0, 1, 6)
    return kernel.sum(axis=0)


def each_example_by_vmap():
    return jnp.mean(jax.vmap(lambda x, y: (model(P, x) - y) ** 2)(X, Y))


def a_contrast_of_all_pairs():
    def loss(params):
        z = model(params, X)
        scores = z @ z.T
        return jnp.mean(scores - jnp.diag(scores)[:, None])

    return jax.grad(loss)(P)


def particles_that_attract():
    def potential(position):
        distance = jnp.expand_dims(position, -1) - position
        return jnp.sum(distance**2) / 2

    return jax.grad(potential)(Y)


def samples_and_quantiles():
    target = Y[..., None]

    def pinball(quantiles):
        error = target - quantiles
        return jnp.mean(jnp.where(error > 0, 0.9 * error, -0.1 * error))

    return jax.grad(pinball)(jnp.zeros(6))


def a_column_by_vmap():
    column = jax.vmap(lambda v: v[None])(Y)
    return jnp.mean(column - Y)


# -- fixed ----------------------------------------------------------------------------------------


def in_a_step():
    # fixed "return jnp.mean((predictions.squeeze(-1) - y) ** 2)"
    x = jax.random.normal(jax.random.key(0), (8, 3))
    y = x[:, 0]
    w = jnp.zeros((3, 1))

    @jax.jit
    def step(w):
        def loss(w):
            predictions = x @ w
            return jnp.mean((predictions - y) ** 2)  # warning: rank-broadcast

        return w - 0.1 * jax.grad(loss)(w)

    for _ in range(3):
        w = step(w)
    return w


def without_a_transform():
    # fixed "return jnp.mean((p > 1.0).squeeze(-1) == (labels > 0.5))"
    labels = jnp.array([0.0, 1.0, 1.0])
    p = jnp.array([[0.1, 0.2], [0.3, 0.9], [0.8, 0.7]]) @ jnp.ones((2, 1))
    return jnp.mean((p > 1.0) == (labels > 0.5))  # warning: rank-broadcast


def all_pairs():
    # in full
    x = jnp.arange(4.0)
    return jnp.mean(jnp.abs(x[:, None] - x))
