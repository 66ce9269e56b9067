"""Common random numbers: two policies are compared under the very same weather."""

import jax
import jax.numpy as jnp


def inputs(days=60, seed=0):
    """One key for the weather, and the share of the water that each policy releases every day."""
    return {"policies": jnp.array([0.10, 0.12]), "key": jax.random.key(seed), "days": days}


def water_level(policy, key, days):
    """Return the level of a reservoir, day by day, under random rain; shape (days,)."""
    rain = jax.random.exponential(key, (days,))

    def day(level, rain):
        level = (1 - policy) * level + rain
        return level, level

    return jax.lax.scan(day, jnp.float32(10), rain)[1]


def same_weather(policies, key, days):
    """Both policies get the same rain."""
    return jax.vmap(lambda policy: water_level(policy, key, days))(policies)


def weather_of_its_own(policies, key, days):
    """Each policy gets different rain."""
    keys = jax.random.split(key, len(policies))
    return jax.vmap(lambda policy, key: water_level(policy, key, days))(policies, keys)


def differences(variant, policies, key, days):
    """Return the difference of the two mean levels in each of 60 worlds, shape (60,)."""

    def difference(key):
        first, second = variant(policies, key, days)
        return first.mean() - second.mean()

    return jax.vmap(difference)(jax.random.split(key, 60))


def worlds_with_one_weather(policies, key, days):
    """Sixty worlds: in each of them both policies get the same rain."""
    return differences(same_weather, policies, key, days)


def worlds_with_two_weathers(policies, key, days):
    """Sixty worlds: in each of them each policy gets different rain."""
    return differences(weather_of_its_own, policies, key, days)


if __name__ == "__main__":
    for variant in (same_weather, weather_of_its_own):
        first, second = variant(**inputs())
        print(variant.__name__, "difference of the means", (first - second).mean())
    for variant in (worlds_with_one_weather, worlds_with_two_weathers):
        print(variant.__name__, "the differences scatter by", variant(**inputs()).std())
