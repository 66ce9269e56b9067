"""A two-layer network with dropout, over a batch."""

import jax
import jax.numpy as jnp


def inputs(batch=16, features=8, hidden=32, seed=0):
    """One example many times over, so that only dropout can make the outputs differ."""
    params_key, keys_key = jax.random.split(jax.random.key(seed))
    first_key, second_key = jax.random.split(params_key)
    params = {
        "first": jax.random.normal(first_key, (features, hidden)) / features**0.5,
        "second": jax.random.normal(second_key, (hidden, features)) / hidden**0.5,
    }
    return {"params": params, "x": jnp.ones((batch, features)), "key": keys_key}


def dropout(x, key, rate=0.5):
    """Return `x` with a fraction `rate` of its values dropped and the rest scaled up."""
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0)


def forward(params, example, key):
    """One example through both layers, with a dropout after each."""
    first_key, second_key = jax.random.split(key)
    hidden = dropout(jax.nn.relu(example @ params["first"]), first_key)
    return dropout(hidden @ params["second"], second_key)


def keys_not_split(params, x, key):
    """Map over the examples alone."""
    return jax.vmap(forward, in_axes=(None, 0, None))(params, x, key)


def key_per_example(params, x, key):
    """Split the key, and map over examples and keys."""
    keys = jax.random.split(key, len(x))
    return jax.vmap(forward, in_axes=(None, 0, 0))(params, x, keys)


if __name__ == "__main__":
    for variant in (keys_not_split, key_per_example):
        rows = variant(**inputs())
        print(variant.__name__, len(jnp.unique(rows, axis=0)), "distinct of", len(rows))
