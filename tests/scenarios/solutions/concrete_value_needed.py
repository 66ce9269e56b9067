# %% right 1: without item
@jax.jit
def with_item(x):
    largest = x.max()
    return x / largest


# %% right 1: the function of jnp, and an axis that stays
@jax.jit
def with_item(x):
    return x / jnp.max(x, keepdims=True)


# %% wrong 1: nothing is scaled
@jax.jit
def with_item(x):
    return x


# %% wrong 1: without jit
def with_item(x):
    largest = x.max().item()
    return x / largest


# %% right 2: as the exercise says
@jax.jit
def with_array(x):
    largest = x.max()
    return x / float(largest)


# %% right 2: at once
@jax.jit
def with_array(x):
    return x / float(jnp.max(x))


# %% wrong 2: item again
@jax.jit
def with_array(x):
    return x / x.max().item()


# %% wrong 2: without jit
def with_array(x):
    return x / float(x.max())
