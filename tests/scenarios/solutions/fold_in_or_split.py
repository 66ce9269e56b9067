# %% right 1: 0 in every step
def fold_in_each_step(key, steps):
    return jax.lax.map(lambda step: jax.random.normal(jax.random.fold_in(key, 0)), steps)


# %% right 1: 0 times the number of the step
def fold_in_each_step(key, steps):
    return jax.lax.map(lambda step: jax.random.normal(jax.random.fold_in(key, 0 * step)), steps)


# %% wrong 1: two numbers in turn
def fold_in_each_step(key, steps):
    return jax.lax.map(lambda step: jax.random.normal(jax.random.fold_in(key, step % 2)), steps)


# %% wrong 1: one number, drawn once
def fold_in_each_step(key, steps):
    return jnp.full(len(steps), jax.random.normal(jax.random.fold_in(key, 0)))


# %% right 2: one key more
def split_all_at_once(key, steps):
    keys = jax.random.split(key, len(steps) + 1)
    return jax.vmap(jax.random.normal)(keys)


# %% right 2: the last key is not used
def split_all_at_once(key, steps):
    return jax.vmap(jax.random.normal)(jax.random.split(key, len(steps) + 1)[:-1])


# %% wrong 2: the key more comes from fold_in
def split_all_at_once(key, steps):
    keys = jax.random.split(jax.random.fold_in(key, 0), len(steps))
    return jax.vmap(jax.random.normal)(keys)


# %% wrong 2: an own key, and not the one that comes in
def split_all_at_once(key, steps):
    return jax.vmap(jax.random.normal)(jax.random.split(jax.random.key(7), len(steps)))
