# %% right 1: logaddexp
def softplus(x):
    return jnp.logaddexp(x, 0.0)


# %% right 1: what jax.nn has
def softplus(x):
    return jax.nn.softplus(x)


# %% wrong 1: a number
def gradient_as_written(x):
    return jnp.float32(1.0)


# %% wrong 1: one where around the result
def softplus(x):
    return jnp.where(x > 20.0, x, jnp.log(1.0 + jnp.exp(x)))
