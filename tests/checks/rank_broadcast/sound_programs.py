"""Pairs that are meant, shapes that fit, and shapes that do not but are not reduced; in our own words.

After pairwise distances and kernels of many projects (https://github.com/itepastra/QGAN-QAS,
https://github.com/sumahn/c2st), one-hot vectors (https://github.com/jax-ml/jax/pull/2901), targets as
columns (https://github.com/joaogui1/jax-ml) and losses that take the axis away first (https://github.com/thu-ml/tianshou/pull/159).
"""

import jax
import jax.numpy as jnp

KEY = jax.random.key(0)
X = jax.random.normal(KEY, (6, 3))
Y = jnp.sin(X[:, 0])
W = jnp.ones((3, 1))
P = {"w": W, "b": jnp.zeros(1)}


def model(params, x):
    return x @ params["w"] + params["b"]


def by_an_index():
    return jnp.mean((model(P, X)[:, 0] - Y) ** 2)


def both_are_flat():
    return jnp.mean((model(P, X).ravel() - Y) ** 2)


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
