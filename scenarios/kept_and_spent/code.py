"""Three arrays of noise at the start of a training run: for weights, a mask, data."""

import jax
import jax.numpy as jnp


def inputs(size=6):
    """One key for everything."""
    return {"key": jax.random.key(0), "size": size}


def one_and_two(key, size):
    """One key for the weights, later two more."""
    weights_key = jax.random.split(key, 1)[0]
    weights = jax.random.normal(weights_key, (size,))
    key, mask_key = jax.random.split(key)
    mask = jax.random.normal(mask_key, (size,))
    data = jax.random.normal(key, (size,))
    return jnp.stack([weights, mask, data])


def kept_each_time(key, size):
    """Each split keeps one child for what comes later."""
    key, weights_key = jax.random.split(key)
    weights = jax.random.normal(weights_key, (size,))
    key, mask_key = jax.random.split(key)
    mask = jax.random.normal(mask_key, (size,))
    data = jax.random.normal(key, (size,))
    return jnp.stack([weights, mask, data])


def three_at_once(key, size):
    """One split, three children."""
    weights_key, mask_key, data_key = jax.random.split(key, 3)
    weights = jax.random.normal(weights_key, (size,))
    mask = jax.random.normal(mask_key, (size,))
    data = jax.random.normal(data_key, (size,))
    return jnp.stack([weights, mask, data])


if __name__ == "__main__":
    for variant in (one_and_two, kept_each_time, three_at_once):
        print(variant.__name__, variant(**inputs())[:, 0])
