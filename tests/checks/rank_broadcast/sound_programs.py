"""Pairs that are meant, shapes that fit, and shapes that do not but are not reduced; in our own words.

After pairwise distances and kernels of many projects (https://github.com/itepastra/QGAN-QAS,
https://github.com/sumahn/c2st), one-hot vectors (https://github.com/jax-ml/jax/pull/2901), targets as
columns (https://github.com/joaogui1/jax-ml) and losses that take the axis away first (https://github.com/thu-ml/tianshou/pull/159).
"""

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


def the_axis_is_taken_away():
    return jax.grad(lambda p: jnp.mean((model(p, X).squeeze(-1) - Y) ** 2))(P)


def by_an_index():
    return jnp.mean((model(P, X)[:, 0] - Y) ** 2)


def both_are_columns():
    return jnp.mean((model(P, X) - Y[:, None]) ** 2)


def both_are_flat():
    return jnp.mean((model(P, X).ravel() - Y) ** 2)


def all_pairs_by_none():
    return jnp.abs(Y[:, None] - Y).mean()


def all_pairs_by_none_on_both_sides():
    return jnp.mean(jnp.exp(-((Y[:, None] - Y[None, :]) ** 2)))


def all_pairs_by_reshape():
    column = Y.reshape(-1, 1)
    return jnp.mean((column - Y) ** 2)


def all_pairs_by_expand_dims():
    return jnp.sum(jnp.expand_dims(Y, 1) * Y)


def all_pairs_by_newaxis():
    y = Y[:, np.newaxis]
    difference = y - Y
    return jnp.sum(difference**2)


def a_kernel_that_gets_a_column():
    def kernel(a, b):
        return jnp.exp(-((a - b) ** 2))

    return kernel(Y[:, None], Y).mean()


def a_kernel_that_gets_a_column_by_name():
    def kernel(a, b):
        return jnp.exp(-0.5 * (a - b) ** 2)

    column = Y[:, None]
    return jnp.mean(jax.jit(kernel)(b=Y, a=column))


def a_kernel_compiled_and_reduced_inside():
    @jax.jit
    def energy(a, b):
        return jnp.sum(jnp.abs(a - b)) / 2

    return energy(Y[:, None] + 1.0, Y)


def a_column_from_a_helper():
    def column(v):
        return v[:, None]

    return jnp.mean(jnp.abs(column(Y) - Y))


def a_column_from_a_helper_of_a_class():
    class Points:
        def __init__(self, x):
            self.column = x.reshape(-1, 1)
            self.row = x

    points = Points(Y)
    return ((points.column - points.row) ** 2).sum()


def squared_distances_by_the_norms():
    squares = jnp.sum(X**2, axis=1, keepdims=True)
    return jnp.mean(squares + jnp.sum(X**2, axis=1) - 2 * X @ X.T)


def a_mask_over_positions():
    position = jnp.arange(6)
    return jnp.sum(position[:, None] >= position)


def an_attention_bias():
    scores = X @ X.T
    position = jnp.arange(6)
    distance = position[:, None] - position
    return jnp.mean(scores + distance)


def radial_features_of_other_points():
    x, centers = jax.random.normal(KEY, (6, 1)), jnp.linspace(-1, 1, 4)
    return jnp.mean(jnp.exp(-((x - centers) ** 2)))


def radial_features_with_weights():
    x, centers = jax.random.normal(KEY, (6, 1)), jnp.linspace(-1, 1, 6)
    return jnp.mean(jnp.exp(-((x - centers) ** 2)) @ jnp.ones(6))


def a_table_that_is_returned():
    return model(P, X) * Y


def a_table_reduced_along_one_axis():
    kernel = jax.random.normal(KEY, (6, 1)) - jnp.linspace(0, 1, 6)
    return kernel.sum(axis=0)


def a_bias_for_each_channel():
    return jnp.mean(X @ jnp.ones((3, 6)) + jnp.ones(6))


def centered_features():
    return jnp.sum((X - X.mean(axis=0)) ** 2), jnp.mean(X - X.mean(axis=1, keepdims=True))


def numbers_and_arrays():
    return jnp.mean(Y - 1.0), jnp.mean(Y * jnp.float32(2.0)), jnp.mean(jnp.ones((1, 1)) - jnp.ones(1))


def a_batch_of_one():
    return jnp.mean((model(P, X[:1]) - Y[:1]) ** 2)


def one_hot_vectors():
    return jnp.mean(jnp.arange(6)[:, None] == jnp.arange(6))


def one_hot_in_a_helper():
    def one_hot(labels, count):
        return jnp.array(labels[..., None] == jnp.arange(count), jnp.float32)

    return one_hot(jnp.arange(6), 6).sum()


def a_grid_of_two_axes():
    x, y = jnp.meshgrid(Y, Y, indexing="ij", sparse=True)
    return jnp.sum(x * y)


def each_example_by_vmap():
    return jnp.mean(jax.vmap(lambda x, y: (model(P, x) - y) ** 2)(X, Y))


def an_outer_product():
    return jnp.sum(jnp.outer(Y, Y)), jnp.sum(jnp.multiply.outer(Y, Y))


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


def a_row_of_features_times_a_scale():
    scale = jax.random.normal(KEY, (3,))
    return jnp.mean(X * scale)


def samples_and_quantiles():
    target = Y[..., None]

    def pinball(quantiles):
        error = target - quantiles
        return jnp.mean(jnp.where(error > 0, 0.9 * error, -0.1 * error))

    return jax.grad(pinball)(jnp.zeros(6))


def reused_names():
    error = model(P, X) - Y
    error = error[:, 0]
    return jnp.mean(error)


def a_table_looked_up_in_a_loop():
    def body(i, total):
        row = lax.dynamic_index_in_dim(X @ X.T, i, keepdims=False)
        return total + jnp.sum(row)

    return lax.fori_loop(0, 6, body, 0.0)


def a_column_by_vmap():
    column = jax.vmap(lambda v: v[None])(Y)
    return jnp.mean(column - Y)
