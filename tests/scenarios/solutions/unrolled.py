# %% right 1: five steps one after the other
def scan(x, steps):
    def body(x, _):
        for _ in range(5):
            x = step(x)
        return x, None

    x, _ = jax.lax.scan(body, x, length=steps // 5)
    return x


# %% right 1: an inner fori_loop
def scan(x, steps):
    def body(x, _):
        return jax.lax.fori_loop(0, 5, lambda _, x: step(x), x), None

    x, _ = jax.lax.scan(body, x, length=steps // 5)
    return x


# %% wrong 1: as many iterations as before
def scan(x, steps):
    def body(x, _):
        for _ in range(5):
            x = step(x)
        return x, None

    x, _ = jax.lax.scan(body, x, length=steps)
    return x


# %% right 2: an array as the end
def fori_loop(x, steps):
    return jax.lax.fori_loop(0, jnp.asarray(steps), lambda _, x: step(x), x)


# %% right 2: an array of 32 bits
def fori_loop(x, steps):
    end = jnp.int32(steps)
    return jax.lax.fori_loop(0, end, lambda _, x: step(x), x)


# %% wrong 2: one step less
def fori_loop(x, steps):
    return jax.lax.fori_loop(1, jnp.asarray(steps), lambda _, x: step(x), x)


# %% wrong 2: a while_loop of another length
def fori_loop(x, steps):
    return jax.lax.while_loop(lambda state: state[0] < 7, lambda state: (state[0] + 1, step(state[1])), (0, x))[1]
