"""Common random numbers: two policies are compared under the very same weather."""

import jax
import jax.numpy as jnp


def inputs(days=60, seed=0):
    """One key for the weather, and the share of the water that each policy lets go every day."""
    return {"policies": jnp.array([0.10, 0.12]), "key": jax.random.key(seed), "days": days}


def water_level(policy, key, days):
    """Return the level of a reservoir, day by day, under random rain; shape (days,)."""
    rain = jax.random.exponential(key, (days,))

    def day(level, rain):
        level = (1 - policy) * level + rain
        return level, level

    return jax.lax.scan(day, jnp.float32(10), rain)[1]


def same_weather(policies, key, days):
    """Both policies meet the same rain, so that only the policies differ."""
    return jax.vmap(lambda policy: water_level(policy, key, days))(policies)


def weather_of_its_own(policies, key, days):
    """Each policy meets another rain: the difference is policy and luck together."""
    keys = jax.random.split(key, len(policies))
    return jax.vmap(lambda policy, key: water_level(policy, key, days))(policies, keys)


if __name__ == "__main__":
    for variant in (same_weather, weather_of_its_own):
        first, second = variant(**inputs())
        print(variant.__name__, "difference of the means", (first - second).mean())
