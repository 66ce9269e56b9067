# %% right 1: a third number
def inputs(days=60, seed=0):
    return {"policies": jnp.array([0.10, 0.12, 0.14]), "key": jax.random.key(seed), "days": days}


# %% right 1: a range
def inputs(days=60, seed=0):
    return {"policies": 0.10 + 0.02 * jnp.arange(3), "key": jax.random.key(seed), "days": days}


# %% wrong 1: another policy
def inputs(days=60, seed=0):
    return {"policies": jnp.array([0.10, 0.12, 0.5]), "key": jax.random.key(seed), "days": days}


# %% wrong 1: different weather for each
def inputs(days=60, seed=0):
    return {"policies": jnp.array([0.10, 0.12, 0.14]), "key": jax.random.key(seed), "days": days}


def same_weather(policies, key, days):
    keys = jax.random.split(key, len(policies))
    return jax.vmap(lambda policy, key: water_level(policy, key, days))(policies, keys)


# %% right 2: a split
def same_weather(policies, key, days):
    keys = jax.random.split(key, len(policies))
    return jax.vmap(lambda policy, key: water_level(policy, key, days))(policies, keys)


# %% right 2: in_axes
def same_weather(policies, key, days):
    return jax.vmap(water_level, in_axes=(0, 0, None))(policies, jax.random.split(key, len(policies)), days)


# %% wrong 2: no weather at all
def same_weather(policies, key, days):
    return policies[:, None] * jnp.arange(1.0, days)


# %% wrong 2: one of the children for both
def same_weather(policies, key, days):
    keys = jax.random.split(key, len(policies))
    return jax.vmap(lambda policy: water_level(policy, keys[0], days))(policies)
