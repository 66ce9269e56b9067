"""Noise for a batch: one key for all, or one for each example."""

import jax
import jax.numpy as jnp


def inputs(batch=32, features=10, seed=0):
    """Zeros, so that the output is the noise itself."""
    x = jnp.zeros((batch, features))
    key = jax.random.key(seed)
    return {"x": x, "key": key}


def add_noise(example, key):
    """Return one example with standard normal noise."""
    return example + jax.random.normal(key, example.shape)


def shared_key(x, key):
    """Map over the examples; the key is not mapped."""
    return jax.vmap(add_noise, in_axes=(0, None))(x, key)


def key_per_example(x, key):
    """Split the key first, one for each example."""
    keys = jax.random.split(key, len(x))
    return jax.vmap(add_noise, in_axes=(0, 0))(x, keys)


def one_big_draw(x, key):
    """Draw the noise of the whole batch at once."""
    return x + jax.random.normal(key, x.shape)


if __name__ == "__main__":
    for variant in (shared_key, key_per_example, one_big_draw):
        rows = variant(**inputs())
        print(variant.__name__, len(jnp.unique(rows, axis=0)), "distinct of", len(rows))
