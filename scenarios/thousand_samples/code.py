"""A thousand samples of a small random process, each from its own key."""

import jax
import jax.numpy as jnp


def inputs(samples=1000, seed=0):
    """One key for each sample."""
    return {"keys": jax.random.split(jax.random.key(seed), samples)}


def sample(key):
    """Return height, weight and age of one invented person."""
    height_key, weight_key, age_key = jax.random.split(key, 3)
    height = 170 + 10 * jax.random.normal(height_key)
    weight = 0.9 * (height - 100) + 8 * jax.random.normal(weight_key)
    age = jax.random.uniform(age_key, minval=18, maxval=90)
    return jnp.stack([height, weight, age])


def sample_all(keys):
    """vmap turns the sampler of one person into that of a thousand: shape (samples, 3)."""
    return jax.vmap(sample)(keys)


if __name__ == "__main__":
    people = sample_all(**inputs())
    print(people.shape, "mean height, weight, age:", people.mean(axis=0))
