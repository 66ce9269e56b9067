"""Dropout in Flax, for a batch and for the steps of a loop."""

import jax
import jax.numpy as jnp
from flax import linen, nnx


def inputs(batch=8, features=12, seed=0):
    """Ones, so that the output shows what dropout keeps."""
    return {"x": jnp.ones((batch, features)), "seed": seed}


def masked(example, rngs):
    """Return one example with half of its numbers dropped, the others doubled."""
    return nnx.Dropout(0.5)(example, rngs=rngs)


def one_rngs(x, seed):
    """nnx: map over the examples, and pass the Rngs as it is."""
    rngs = nnx.Rngs(dropout=seed)
    return nnx.vmap(masked, in_axes=(0, None))(x, rngs)


def rngs_split(x, seed):
    """nnx: the same with split_rngs around it."""
    rngs = nnx.Rngs(dropout=seed)
    split = nnx.split_rngs(splits=len(x))
    return split(nnx.vmap(masked, in_axes=(0, 0)))(x, rngs)


def one_after_another(x, seed):
    """nnx: a Python loop over the examples, with one Rngs."""
    rngs = nnx.Rngs(dropout=seed)
    return jnp.stack([masked(example, rngs) for example in x])


def linen_in_a_loop(x, seed):
    """linen: the same loop with apply and one key."""
    layer = linen.Dropout(0.5, deterministic=False)
    key = jax.random.key(seed)
    return jnp.stack([layer.apply({}, example, rngs={"dropout": key}) for example in x])


if __name__ == "__main__":
    for variant in (one_rngs, rngs_split, one_after_another, linen_in_a_loop):
        rows = variant(**inputs())
        print(variant.__name__, len(jnp.unique(rows, axis=0)), "distinct of", len(rows))
