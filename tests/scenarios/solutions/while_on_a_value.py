# %% right 1: the loop in the program
@jax.jit
def plain_while(x, n):
    return x + jax.lax.while_loop(lambda i: i < n, lambda i: i + 1, 0)


# %% right 1: a static argument
@partial(jax.jit, static_argnames="n")
def plain_while(x, n):
    i = 0
    while i < n:
        i += 1
    return x + i


# %% right 1: the loop outside
def plain_while(x, n):
    i = 0
    while i < n:
        x = add_one(x)
        i += 1
    return x


# %% right 1: a fori_loop
@jax.jit
def plain_while(x, n):
    return jax.lax.fori_loop(0, n, lambda _, x: x + 1, x)


# %% wrong 1: the number itself
@jax.jit
def plain_while(x, n):
    return x + 20


# %% wrong 1: without jit
def plain_while(x, n):
    i = 0
    while i < n:
        i += 1
    return x + i


# %% wrong 1: once too often
@jax.jit
def plain_while(x, n):
    return x + jax.lax.while_loop(lambda i: i <= n, lambda i: i + 1, 0)


# %% wrong 1: one call for the loop
@jax.jit
def plain_while(x, n):
    return x + 1
