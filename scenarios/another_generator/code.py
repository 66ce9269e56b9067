"""The same draws with two generators: threefry, and rbg."""

import jax
import jax.numpy as jnp


def inputs(batch=4, seed=0):
    """A seed, and the size of a batch."""
    return {"seed": seed, "batch": batch}


def words_of_keys(seed):
    """Return the words that a key of each generator consists of."""
    return {impl: jax.random.key_data(jax.random.key(seed, impl=impl)) for impl in ("threefry2x32", "rbg")}


def rows(seed, batch, impl):
    """Draw three numbers for each of the batch: under vmap, and one example after the other."""
    keys = jax.random.split(jax.random.key(seed, impl=impl), batch)
    mapped = jax.vmap(lambda key: jax.random.normal(key, (3,)))(keys)
    return mapped, jnp.stack([jax.random.normal(key, (3,)) for key in keys])


def threefry(seed, batch):
    """Return how far the two ways are apart, in each row."""
    mapped, one_by_one = rows(seed, batch, "threefry2x32")
    return jnp.abs(mapped - one_by_one).max(axis=1)


def rbg(seed, batch):
    """Return the same for rbg."""
    mapped, one_by_one = rows(seed, batch, "rbg")
    return jnp.abs(mapped - one_by_one).max(axis=1)


if __name__ == "__main__":
    print("words_of_keys", words_of_keys(0))
    for variant in (threefry, rbg):
        print(variant.__name__, variant(**inputs()))
