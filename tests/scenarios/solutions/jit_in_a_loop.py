# %% right 1: the lambda once
def jit_of_a_lambda(x, n):
    step = jax.jit(lambda x: count_up(x))
    for _ in range(n):
        x = step(x)
    return x


# %% right 1: a decorated function
def jit_of_a_lambda(x, n):
    @jax.jit
    def step(x):
        return count_up(x)

    for _ in range(n):
        x = step(x)
    return x


# %% wrong 1: without jit
def jit_of_a_lambda(x, n):
    for _ in range(n):
        x = count_up(x)
    return x


# %% wrong 1: no loop any more
def jit_of_a_lambda(x, n):
    return jax.jit(lambda x: x + n)(x)
