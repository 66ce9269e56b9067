# %% right 1: where
@jax.jit
def plain_if(x):
    return jnp.where(x > 0, 2 * x, -x)


# %% right 1: a static argument
@partial(jax.jit, static_argnames="x")
def plain_if(x):
    if x > 0:
        return 2 * x
    return -x


# %% wrong 1: without jit
def plain_if(x):
    if x > 0:
        return 2 * x
    return -x


# %% wrong 1: the sides swapped
@jax.jit
def plain_if(x):
    return jnp.where(x > 0, -x, 2 * x)


# %% right 2: two numbers
def inputs(x=3):
    return {"x": jnp.array([x, -x])}


# %% right 2: two numbers, stacked
def inputs(x=3):
    both = jnp.stack([jnp.asarray(x), -jnp.asarray(x)])
    return {"x": both}


# %% wrong 2: the same number twice
def inputs(x=3):
    return {"x": jnp.array([x, x])}


# %% wrong 2: the numbers themselves
@jax.jit
def with_where(x):
    return jnp.array([6, 3])
