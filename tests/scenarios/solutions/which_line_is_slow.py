# %% right 1: the other median
def report(x, w):
    return product(x, w), chain(x), wave(x), middle_by_counting(x)


# %% right 1: counting inside middle
def middle(x):
    low, high = x.min(), x.max()
    for _ in range(40):
        guess = (low + high) / 2
        is_low = jnp.sum(x <= guess) <= len(x) // 2
        low, high = jnp.where(is_low, guess, low), jnp.where(is_low, high, guess)
    return high


# %% wrong 1: the mean
def middle(x):
    return x.mean()


# %% wrong 1: too few halvings
def middle(x):
    low, high = x.min(), x.max()
    for _ in range(10):
        guess = (low + high) / 2
        is_low = jnp.sum(x <= guess) <= len(x) // 2
        low, high = jnp.where(is_low, guess, low), jnp.where(is_low, high, guess)
    return high
