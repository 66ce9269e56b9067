# %% right 1: the loop in the program
@jax.jit
def plain_while(x, n):
    return x + jax.lax.while_loop(lambda i: i < n, lambda i: i + 1, 0)


# %% right 1: the loop outside
def plain_while(x, n):
    i = 0
    while i < n:
        x = add_one(x)
        i += 1
    return x


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
