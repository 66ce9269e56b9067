"""A position from one distribution, and a speed from another."""

import jax
import jax.numpy as jnp


def inputs(samples=500, seed=0):
    """One key for a position and for a speed."""
    return {"key": jax.random.key(seed), "samples": samples}


def one_key(key, samples):
    """Both from the key that came in."""
    position = jax.random.uniform(key, (samples,))
    speed = jax.random.normal(key, (samples,))
    return {"position": position, "speed": speed}


def two_keys(key, samples):
    """A key for each."""
    position_key, speed_key = jax.random.split(key)
    position = jax.random.uniform(position_key, (samples,))
    speed = jax.random.normal(speed_key, (samples,))
    return {"position": position, "speed": speed}


if __name__ == "__main__":
    for variant in (one_key, two_keys):
        pair = variant(**inputs())
        print(variant.__name__, "correlation", jnp.corrcoef(pair["position"], pair["speed"])[0, 1])
