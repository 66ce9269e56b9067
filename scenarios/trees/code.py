"""Nested lists, tuples and dicts are trees; JAX works on their leaves."""

from itertools import pairwise

import jax
import jax.numpy as jnp

EXAMPLES = (
    [1, "a", object],
    (1, (2, 3), ()),
    {"a": 2, "b": (2, 3)},
    [jnp.ones(1), None, {"b": 0.5}],
)


def inputs(hidden=16, seed=0):
    """The parameters of a small network, a list of dicts."""
    sizes = (1, hidden, hidden, 1)
    keys = jax.random.split(jax.random.key(seed), len(sizes) - 1)
    layers = zip(keys, pairwise(sizes), strict=True)
    return {"params": [{"weights": jax.random.normal(key, size), "bias": jnp.ones(size[1])} for key, size in layers]}


def count_leaves():
    """Count the leaves of each example."""
    leaves = [jax.tree.leaves(example) for example in EXAMPLES]
    for example, found in zip(EXAMPLES, leaves, strict=True):
        print(len(found), "in", example)
    return jnp.array([len(found) for found in leaves])


def double_every_leaf(params):
    """The same tree, each of its leaves times two."""
    return jax.tree.map(lambda leaf: 2 * leaf, params)


def one_step_of_training(params):
    """Two trees of the same form: parameters and their gradients, leaf by leaf."""

    def loss(params):
        x = jnp.ones(1)
        for layer in params:
            x = jnp.tanh(x @ layer["weights"] + layer["bias"])
        return jnp.sum(x**2)

    gradients = jax.grad(loss)(params)
    return jax.tree.map(lambda leaf, gradient: leaf - 0.1 * gradient, params, gradients)


if __name__ == "__main__":
    count_leaves()
    print(jax.tree.map(jnp.shape, inputs()["params"]))
    print(double_every_leaf(**inputs())[0]["bias"])
