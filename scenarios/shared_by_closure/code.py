"""Noise for a batch, with the key passed in five ways."""

import jax
import jax.numpy as jnp


def inputs(batch=16, features=8, seed=0):
    """Zeros, so that the output is the noise itself."""
    return {"x": jnp.zeros((batch, features)), "key": jax.random.key(seed)}


def closed_over(x, key):
    """The mapped function takes the example, and reads the key from outside."""

    def add_noise(example):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x)


def split_inside(x, key):
    """The mapped function splits the key before it draws."""

    def add_noise(example):
        noise_key, _ = jax.random.split(key)
        return example + jax.random.normal(noise_key, example.shape)

    return jax.vmap(add_noise)(x)


def repeated_keys(x, key):
    """As many keys as examples, made with repeat, and mapped over."""

    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jnp.repeat(key, len(x)))


def key_per_example(x, key):
    """Split before vmap, and map over the keys."""

    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jax.random.split(key, len(x)))


def fold_in_the_place(x, key):
    """The key comes from outside; each example folds in its index in the batch."""

    def add_noise(example):
        own_key = jax.random.fold_in(key, jax.lax.axis_index("batch"))
        return example + jax.random.normal(own_key, example.shape)

    return jax.vmap(add_noise, axis_name="batch")(x)


if __name__ == "__main__":
    for variant in (closed_over, split_inside, repeated_keys, key_per_example, fold_in_the_place):
        rows = variant(**inputs())
        print(variant.__name__, len(jnp.unique(rows, axis=0)), "distinct of", len(rows))
