"""Noise for chains of examples: vmap inside vmap."""

import jax
import jax.numpy as jnp


def inputs(chains=4, examples=32, features=6, seed=0):
    """Zeros, so that the output is the noise itself."""
    return {"x": jnp.zeros((chains, examples, features)), "key": jax.random.key(seed)}


def add_noise(example, key):
    """Return one example with standard normal noise."""
    return example + jax.random.normal(key, example.shape)


def key_per_chain(x, key):
    """Split the key, one for each chain."""
    keys = jax.random.split(key, len(x))
    over_examples = jax.vmap(add_noise, in_axes=(0, None))
    return jax.vmap(over_examples)(x, keys)


def key_per_example(x, key):
    """Keys in the shape of chains by examples, mapped over twice."""
    keys = jax.random.split(key, x.shape[:2])
    return jax.vmap(jax.vmap(add_noise))(x, keys)


def keys_of_three_axes(x, key):
    """Split into keys of three axes, the last of length 1."""
    keys = jax.random.split(key, (*x.shape[:2], 1))
    return jax.vmap(jax.vmap(add_noise))(x, keys)


if __name__ == "__main__":
    for variant in (key_per_chain, key_per_example):
        noise = variant(**inputs())
        distinct = [len(jnp.unique(chain, axis=0)) for chain in noise]
        print(variant.__name__, "distinct examples in each chain:", distinct)
