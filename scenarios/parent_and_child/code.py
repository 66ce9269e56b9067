"""Noise from a key, and children of it."""

import jax
import jax.numpy as jnp


def inputs(children=64, seed=0):
    """The parent, and how many children it will have."""
    return {"key": jax.random.key(seed), "children": children}


def fingerprint(keys):
    """Return one number from 0 to 1 for each key, read off its two words of key data."""
    words = jax.random.key_data(keys)
    bits = words[:, 0] ^ words[:, 1]
    return (bits >> 9) * jnp.float32(2**-23)


def draw_then_split(key, children):
    """Draw the noise from the parent, then split it."""
    noise = jax.random.uniform(key, (children,))
    keys = jax.random.split(key, children)
    numbers = fingerprint(keys)
    return {"noise": noise, "keys": numbers, "children": keys}


def split_first(key, children):
    """One child for the noise, the other to be split."""
    noise_key, parent = jax.random.split(key)
    noise = jax.random.uniform(noise_key, (children,))
    keys = jax.random.split(parent, children)
    numbers = fingerprint(keys)
    return {"noise": noise, "keys": numbers, "children": keys}


if __name__ == "__main__":
    for variant in (draw_then_split, split_first):
        pair = variant(**inputs())
        print(variant.__name__, "correlation", jnp.corrcoef(pair["noise"], pair["keys"])[0, 1])
