# %% right 1: the first key by its number
def split_up_front(x, key, steps):
    keys = jax.random.split(key, steps)
    for _ in range(steps):
        x = add_noise(x, keys[0])
    return x


# %% right 1: the first key by its name
def split_up_front(x, key, steps):
    first, *_ = jax.random.split(key, steps)
    for each in [first] * steps:
        x = add_noise(x, each)
    return x


# %% wrong 1: the first key in the first two steps alone
def split_up_front(x, key, steps):
    keys = jax.random.split(key, steps)
    for step in range(steps):
        x = add_noise(x, keys[max(0, step - 1)])
    return x


# %% wrong 1: the noise is drawn once
def split_up_front(x, key, steps):
    keys = jax.random.split(key, steps)
    return x + steps * jax.random.normal(keys[0], x.shape)


# %% right 2: a range from 3
def fold_in_the_step(x, key, steps):
    for step in range(3, steps):
        x = add_noise(x, jax.random.fold_in(key, step))
    return x


# %% right 2: the first three are skipped
def fold_in_the_step(x, key, steps):
    for step in range(steps):
        if step < 3:
            continue
        x = x + jax.random.normal(jax.random.fold_in(key, step), x.shape)
    return x


# %% wrong 2: from step 1
def fold_in_the_step(x, key, steps):
    for step in range(1, steps):
        x = add_noise(x, jax.random.fold_in(key, step))
    return x


# %% wrong 2: the noise of step 3 from the base key
def fold_in_the_step(x, key, steps):
    return add_noise(x, key)
