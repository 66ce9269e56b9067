"""A jitted training step with dropout: one mask for the batch, or one for each example."""

import jax
import jax.numpy as jnp


def inputs(batch=32, features=24, rate=0.25, seed=0):
    """A batch of ones, and the key of this step."""
    return {"x": jnp.ones((batch, features)), "rate": rate, "key": jax.random.key(seed)}


def keep_mask(key, rate, shape):
    """Return True where a value is kept."""
    return jax.random.bernoulli(key, 1 - rate, shape)


@jax.jit
def one_mask(x, rate, key):
    """The step is jitted, the mistake is as before: the key is closed over inside vmap."""
    return jax.vmap(lambda example: keep_mask(key, rate, example.shape))(x)


@jax.jit
def mask_per_example(x, rate, key):
    """Split inside the jitted step, then map over the keys."""
    keys = jax.random.split(key, len(x))
    return jax.vmap(lambda example, key: keep_mask(key, rate, example.shape))(x, keys)


if __name__ == "__main__":
    for variant in (one_mask, mask_per_example):
        mask = variant(**inputs())
        print(variant.__name__, "kept:", mask.mean(), "distinct masks:", len(jnp.unique(mask, axis=0)))
