# %% right 1: a longer loop
def squash(x):
    x = (x - x.mean()) / x.std()
    for _ in range(30):
        x = x - 0.05 * x * x * x
    return x


# %% right 1: a while
def squash(x):
    x = (x - x.mean()) / x.std()
    left = 30
    while left:
        x -= 0.05 * x * x * x
        left -= 1
    return x


# %% wrong 1: three hundred
def squash(x):
    x = (x - x.mean()) / x.std()
    for _ in range(300):
        x = x - 0.05 * x * x * x
    return x


# %% wrong 1: one number
def squash(x):
    x = x[0]
    for _ in range(30):
        x = x - 0.05 * x * x * x
    return x
