"""Weights of a small network, made layer by layer from a key."""

from itertools import pairwise

import jax
import jax.numpy as jnp

REGRESSION = (1, 128, 128, 1)
DIGITS = (784, 256, 128, 10)


def inputs(seed=42):
    """The key that the whole network starts from."""
    return {"key": jax.random.key(seed)}


def init_layer(key, fan_in, fan_out):
    """Return He-initialised weights, shape (fan_in, fan_out)."""
    scale = jnp.sqrt(2 / fan_in)
    return scale * jax.random.normal(key, (fan_in, fan_out))


def layer_by_layer(key, sizes=REGRESSION):
    """Make the layers one after the other."""
    weights = []
    for fan_in, fan_out in pairwise(sizes):
        weights.append(init_layer(key, fan_in, fan_out))
    return weights


def thread_the_key(key, sizes=REGRESSION):
    """Split in the loop: one child for this layer, the other for what follows."""
    weights = []
    for fan_in, fan_out in pairwise(sizes):
        key, layer_key = jax.random.split(key)
        weights.append(init_layer(layer_key, fan_in, fan_out))
    return weights


def list_of_keys(key, sizes=REGRESSION):
    """Split once, before the loop: a key for each layer."""
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)]


def network_for_digits(key):
    """The fixed initialiser, for pictures of 28 x 28 pixels."""
    return thread_the_key(key, DIGITS)


if __name__ == "__main__":
    first, middle, last = layer_by_layer(**inputs())
    print("the first weight of each layer", first[0, 0], middle[0, 0], last[0, 0])
    print("shapes for digits", [layer.shape for layer in network_for_digits(**inputs())])
