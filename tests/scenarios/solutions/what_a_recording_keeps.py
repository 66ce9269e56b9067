# %% right 1: as many as there are steps
def last_night(x, y, key, steps):
    return trained(jax.random.split(key, steps), x, y, steps)


# %% right 1: the number of the step
def last_night(x, y, key, steps):
    return trained([jax.random.fold_in(key, i) for i in range(steps)], x, y, steps)


# %% wrong 1: the whole night with the keys that there are
def last_night(x, y, key, steps):
    return trained(jax.random.split(key, KEYS), x, y, min(steps, KEYS))


# %% wrong 1: the number of the step, from 1
def last_night(x, y, key, steps):
    return trained([jax.random.fold_in(key, i + 1) for i in range(steps)], x, y, steps)


# %% right 2: the remainder
def trained(keys, x, y, steps):
    w = jnp.zeros(8)
    losses = []
    for i in range(steps):
        noisy = x + 0.4 * jax.random.normal(keys[i % len(keys)], x.shape)
        error = noisy @ w - y
        w = w - 0.2 * noisy.T @ error
        losses.append(jnp.mean(error**2))
    return jnp.stack(losses)


# %% right 2: the keys again and again
def trained(keys, x, y, steps):
    w = jnp.zeros(8)
    losses = []
    again = [key for _ in range(steps // KEYS + 1) for key in keys]
    for key in again[:steps]:
        noisy = x + 0.4 * jax.random.normal(key, x.shape)
        error = noisy @ w - y
        w = w - 0.2 * noisy.T @ error
        losses.append(jnp.mean(error**2))
    return jnp.stack(losses)


# %% wrong 2: the last key, on purpose
def trained(keys, x, y, steps):
    w = jnp.zeros(8)
    losses = []
    for i in range(steps):
        noisy = x + 0.4 * jax.random.normal(keys[min(i, len(keys) - 1)], x.shape)
        error = noisy @ w - y
        w = w - 0.2 * noisy.T @ error
        losses.append(jnp.mean(error**2))
    return jnp.stack(losses)


# %% wrong 2: the first key, from there on
def trained(keys, x, y, steps):
    w = jnp.zeros(8)
    losses = []
    for i in range(steps):
        noisy = x + 0.4 * jax.random.normal(keys[i if i < len(keys) else 0], x.shape)
        error = noisy @ w - y
        w = w - 0.2 * noisy.T @ error
        losses.append(jnp.mean(error**2))
    return jnp.stack(losses)
