# %% right 1: as the exercise says
def multiply_and_add(x, y):
    return x * y + x * y


# %% right 1: two names
def multiply_and_add(x, y):
    first = x * y
    second = jnp.multiply(x, y)
    return first + second


# %% wrong 1: the product once
def multiply_and_add(x, y):
    product = x * y
    return product + product


# %% wrong 1: two products of other numbers
def multiply_and_add(x, y):
    return x * x + (y * y - 1)


# %% right 2: a sine
def multiply_and_add(x, y):
    jnp.sin(x)
    return x * y + 2


# %% right 2: a sum that has a name
def multiply_and_add(x, y):
    unused = x + y
    result = x * y + 2
    return result


# %% wrong 2: two steps that are both used
def multiply_and_add(x, y):
    return x * y + 1 + 1


# %% wrong 2: a line of Python numbers
def multiply_and_add(x, y):
    unused = 3 + 4
    return x * y + 2
