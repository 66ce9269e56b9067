"""One key for the whole batch, in three disguises; in none of them does `in_axes` say so."""

import jax
import jax.numpy as jnp


def inputs(batch=16, features=8, seed=0):
    """Zeros, so that the output is the noise itself."""
    return {"x": jnp.zeros((batch, features)), "key": jax.random.key(seed)}


def closed_over(x, key):
    """The key is no argument of the mapped function, so vmap does not touch it."""

    def add_noise(example):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x)


def split_inside(x, key):
    """Splitting inside helps nobody: every example splits the same key, and gets the same children."""

    def add_noise(example):
        noise_key, _ = jax.random.split(key)
        return example + jax.random.normal(noise_key, example.shape)

    return jax.vmap(add_noise)(x)


def repeated_keys(x, key):
    """As many keys as examples, mapped over as they should be; only they are all the same key."""

    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jnp.repeat(key, len(x)))


def key_per_example(x, key):
    """Split before vmap, and map over the keys."""

    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jax.random.split(key, len(x)))


if __name__ == "__main__":
    for variant in (closed_over, split_inside, repeated_keys, key_per_example):
        rows = variant(**inputs())
        print(variant.__name__, len(jnp.unique(rows, axis=0)), "distinct of", len(rows))
