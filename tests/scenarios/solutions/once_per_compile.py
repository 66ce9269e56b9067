# %% right 1: the count in and out
@jax.jit
def add_count(x, count):
    count = count + 1
    return x + count, count


def global_count(x, calls):
    count, sums = 0, []
    for _ in range(calls):
        total, count = add_count(x, count)
        sums.append(total)
    return jnp.stack(sums)


# %% right 1: a dict, and an array as the first count
@jax.jit
def add_count(x, count):
    return {"sum": x + count + 1, "count": count + 1}


def global_count(x, calls):
    found = []
    state = {"count": jnp.int32(0)}
    for _ in range(calls):
        state = add_count(x, state["count"])
        found.append(state["sum"])
    return jnp.stack(found)


# %% wrong 1: without jit
def add_count(x, count):
    count = count + 1
    return x + count, count


def global_count(x, calls):
    count, sums = 0, []
    for _ in range(calls):
        total, count = add_count(x, count)
        sums.append(total)
    return jnp.stack(sums)


# %% wrong 1: the numbers themselves
def global_count(x, calls):
    return x + jnp.arange(1.0, calls + 1)


# %% right 2: a vector of ones
def global_count(x, calls):
    sums = [add_count(x) for _ in range(calls)]
    return jnp.stack([*sums, add_count(jnp.ones(2))[0]])


# %% right 2: the number twice
def global_count(x, calls):
    sums = [add_count(x) for _ in range(calls)]
    sums.append(add_count(jnp.stack([x, x]))[1])
    return jnp.stack(sums)


# %% wrong 2: another value of the same shape
def global_count(x, calls):
    return jnp.stack([*[add_count(x) for _ in range(calls)], add_count(x + 1)])


# %% wrong 2: the numbers themselves
def global_count(x, calls):
    return jnp.array([2.0, 2.0, 2.0, 3.0])
