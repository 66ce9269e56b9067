# %% right 1: jnp.median
@jax.jit
def median(x):
    return jnp.median(x)


# %% right 1: sorted
@jax.jit
def median(x):
    return jnp.sort(x)[len(x) // 2]


# %% wrong 1: the mean
@jax.jit
def median(x):
    return jnp.mean(x)


# %% wrong 1: the numbers themselves
def gradient_through_numpy(x):
    return jnp.array([0.0, 0.0, 1.0, 0.0, 0.0])
