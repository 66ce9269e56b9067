"""Two dropout layers, one after the other."""

import jax
import jax.numpy as jnp


def inputs(width=64, rate=0.5, seed=0):
    """Ones, so that the output shows what was kept and how much it was scaled."""
    return {"x": jnp.ones(width), "rate": rate, "key": jax.random.key(seed)}


def dropout(x, rate, key):
    """Return `x` with a fraction `rate` of its values dropped and the rest scaled up."""
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0)


def one_key(x, rate, key):
    """Both layers draw their mask from the same key."""
    hidden = dropout(x, rate, key)
    output = dropout(hidden, rate, key)
    return jnp.stack([hidden, output]) != 0


def two_keys(x, rate, key):
    """A key for each layer."""
    first_key, second_key = jax.random.split(key)
    hidden = dropout(x, rate, first_key)
    output = dropout(hidden, rate, second_key)
    return jnp.stack([hidden, output]) != 0


if __name__ == "__main__":
    for variant in (one_key, two_keys):
        print(variant.__name__, "kept after each layer:", variant(**inputs()).mean(axis=1))
