# %% right 1: key 7
def sample_all(keys):
    return sample(keys[7])


# %% right 1: each number written out
def sample_all(keys):
    height_key, weight_key, age_key = jax.random.split(keys[7], 3)
    height = 170 + 10 * jax.random.normal(height_key)
    weight = 0.9 * (height - 100) + 8 * jax.random.normal(weight_key)
    return jnp.stack([height, weight, jax.random.uniform(age_key, minval=18, maxval=90)])


# %% wrong 1: the seventh, counted from 1
def sample_all(keys):
    return sample(keys[6])


# %% wrong 1: three numbers
def sample_all(keys):
    return jnp.array([170.0, 65.0, 40.0])


# %% right 2: the third key is not used
def sample(key):
    height_key, weight_key, age_key = jax.random.split(key, 3)
    height = 170 + 10 * jax.random.normal(height_key)
    weight = 0.9 * (height - 100) + 8 * jax.random.normal(weight_key)
    age = jax.random.uniform(weight_key, minval=18, maxval=90)
    return jnp.stack([height, weight, age])


# %% right 2: two keys
def sample(key):
    height_key, weight_key = jax.random.split(key)
    age = jax.random.uniform(weight_key, (), minval=18, maxval=90)
    height = 170 + 10 * jax.random.normal(height_key)
    return jnp.stack([height, 0.9 * (height - 100) + 8 * jax.random.normal(weight_key), age])


# %% wrong 2: height and weight from one key
def sample(key):
    height_key, weight_key, age_key = jax.random.split(key, 3)
    height = 170 + 10 * jax.random.normal(height_key)
    weight = 0.9 * (height - 100) + 8 * jax.random.normal(height_key)
    age = jax.random.uniform(age_key, minval=18, maxval=90)
    return jnp.stack([height, weight, age])


# %% wrong 2: one person is sampled twice
def sample_all(keys):
    return jnp.stack([sample(keys[0]), sample(keys[0])])
