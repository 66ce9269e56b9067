# %% right 1: a Python loop
@jax.jit
def compiled(x):
    for _ in range(10):
        x = polynomial(x)
    return x


# %% right 1: a fori_loop
compiled = jax.jit(lambda x: jax.lax.fori_loop(0, 10, lambda _, x: polynomial(x), x))


# %% wrong 1: the loop outside
def with_jit(x):
    for _ in range(10):
        x = compiled(x)
    return x


# %% wrong 1: each time of the numbers that came in
@jax.jit
def compiled(x):
    for _ in range(10):
        y = polynomial(x)
    return y
