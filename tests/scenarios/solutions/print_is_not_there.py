# %% right 1: a list
def print_in_three_calls(x):
    return [log2_with_print(x + i) for i in range(3)]


# %% right 1: arrays
def print_in_three_calls(x):
    return [log2_with_print(each) for each in x + jnp.arange(3.0)]


# %% wrong 1: without jit
def log2_with_print(x):
    print("print:", x)
    return jnp.log(x) / jnp.log(2.0)


def print_in_three_calls(x):
    return [log2_with_print(x + i) for i in range(3)]


# %% wrong 1: other values
def print_in_three_calls(x):
    return [log2_with_print(x + 2 * i) for i in range(3)]


# %% right 2: one more call
def print_in_three_calls(x):
    return [*[log2_with_print(x) for _ in range(3)], log2_with_print(jnp.stack([x, x]))]


# %% right 2: one of the three
def print_in_three_calls(x):
    return [log2_with_print(x), log2_with_print(x), log2_with_print(jnp.array([x, x]))]


# %% wrong 2: another value
def print_in_three_calls(x):
    return [*[log2_with_print(x) for _ in range(3)], log2_with_print(x + 1)]


# %% wrong 2: without jit
def log2_with_print(x):
    print("print:", x)
    return jnp.log(x) / jnp.log(2.0)


def print_in_three_calls(x):
    return [log2_with_print(x), log2_with_print(jnp.stack([x, x]))]
