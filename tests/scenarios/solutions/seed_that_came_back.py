# %% right 1: a split for the two purposes
def numbered_seeds(epochs, points):
    test_key, train_key = jax.random.split(jax.random.key(1))
    batches = [jax.random.normal(jax.random.fold_in(train_key, epoch), (points,)) for epoch in range(epochs)]
    return jnp.stack([jax.random.normal(test_key, (points,)), *batches])


# %% right 1: one big draw
def numbered_seeds(epochs, points):
    return jax.random.normal(jax.random.key(0), (epochs + 1, points))


# %% wrong 1: another seed for the test set
def numbered_seeds(epochs, points):
    test = jax.random.normal(jax.random.key(10), (points,))
    batches = [jax.random.normal(jax.random.key(epoch), (points,)) for epoch in range(epochs)]
    return jnp.stack([test, *batches])


# %% wrong 1: without the test set
def numbered_seeds(epochs, points):
    keys = jax.random.split(jax.random.key(1), epochs)
    return jnp.stack([jax.random.normal(key, (points,)) for key in keys])


# %% right 2: the number of the last epoch
def one_root(epochs, points):
    train_key = jax.random.split(jax.random.key(1))[1]
    test = jax.random.normal(jax.random.fold_in(train_key, epochs - 1), (points,))
    batches = [jax.random.normal(jax.random.fold_in(train_key, epoch), (points,)) for epoch in range(epochs)]
    return jnp.stack([test, *batches])


# %% right 2: the number itself
def one_root(epochs, points):
    test_key, train_key = jax.random.split(jax.random.key(1))
    test = jax.random.normal(jax.random.fold_in(train_key, 3), (points,))
    batches = []
    for epoch in range(epochs):
        key = jax.random.fold_in(train_key, epoch)
        batches.append(jax.random.normal(key, (points,)))
    return jnp.stack([test, *batches])


# %% wrong 2: the batch of the first epoch
def one_root(epochs, points):
    train_key = jax.random.split(jax.random.key(1))[1]
    test = jax.random.normal(jax.random.fold_in(train_key, 0), (points,))
    batches = [jax.random.normal(jax.random.fold_in(train_key, epoch), (points,)) for epoch in range(epochs)]
    return jnp.stack([test, *batches])


# %% wrong 2: one key for all rows
def one_root(epochs, points):
    key = jax.random.key(1)
    return jnp.stack([jax.random.normal(key, (points,)) for _ in range(epochs + 1)])
