# %% right 1: map
def mapped(x, threshold):
    return jax.lax.map(lambda number: choose(number, threshold), x)


# %% right 1: scan
def mapped(x, threshold):
    return jax.lax.scan(lambda carry, number: (carry, choose(number, threshold)), None, x)[1]


# %% wrong 1: one branch for all
def mapped(x, threshold):
    return jax.lax.cond(x[0] > threshold, costly, cheap, x)


# %% wrong 1: a map that takes all at once
def mapped(x, threshold):
    return jax.lax.map(lambda number: choose(number, threshold), x, batch_size=len(x))
