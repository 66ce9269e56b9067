# %% right 1: a safe number under the root
def loss(x):
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.sum(jnp.where(x > 0, jnp.sqrt(safe), 0.0))


# %% right 1: a branch for each number
def loss(x):
    return jnp.sum(jax.lax.map(lambda each: jax.lax.cond(each > 0, jnp.sqrt, lambda _: 0.0, each), x))


# %% wrong 1: no root any more
def loss(x):
    return 0.25 * jnp.sum(jnp.where(x > 0, x, 0.0))


# %% wrong 1: the numbers themselves
def slope(x):
    return jnp.array([0.0, 1.0, 0.5, 0.25])


# %% right 2: as the exercise says
def loss(x):
    return jnp.sum(jnp.sqrt(x + 1e-12))


# %% right 2: a power
def loss(x):
    return ((x + 1e-12) ** 0.5).sum()


# %% wrong 2: the where is still there
def loss(x):
    return jnp.sum(jnp.where(x > 0, jnp.sqrt(x + 1e-12), 0.0))


# %% wrong 2: the numbers themselves
def slope(x):
    return jnp.array([500000.0, 1.0, 0.5, 0.25])
