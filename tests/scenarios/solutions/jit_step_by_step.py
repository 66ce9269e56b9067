# %% right 1: a fourth call
def with_jit(x):
    compiled = jax.jit(root_mean_square)
    return [compiled(x), compiled(2 * x), compiled(3 * x), compiled(x[:3])]


# %% right 1: in a loop
def with_jit(x):
    compiled = jax.jit(root_mean_square)
    return [compiled(each) for each in (x, 2 * x, 3 * x, x[:3])]


# %% wrong 1: without jit
def with_jit(x):
    print("one line")
    return [jnp.sqrt(jnp.mean(each * each)) for each in (x, 2 * x, 3 * x)] + [root_mean_square(x[:3])]


# %% wrong 1: the same shape again
def with_jit(x):
    compiled = jax.jit(root_mean_square)
    return [compiled(x), compiled(2 * x), compiled(3 * x), compiled(4 * x)]


# %% right 2: all numbers, as floats
def other_arguments(x):
    compiled = jax.jit(root_mean_square)
    return [compiled(x), compiled(2 * x), compiled(x.astype(int).astype(float)), compiled(x)]


# %% right 2: a padded batch
def other_arguments(x):
    compiled = jax.jit(root_mean_square)
    short = jnp.zeros_like(x).at[:2].set(x[:2])
    return [compiled(x), compiled(short), compiled(x), compiled(x)]


# %% wrong 2: one call is left
def other_arguments(x):
    compiled = jax.jit(root_mean_square)
    return [compiled(x)]


# %% wrong 2: whole numbers are left
def other_arguments(x):
    compiled = jax.jit(root_mean_square)
    return [compiled(x), compiled(x), compiled(x.astype(int)), compiled(x)]
