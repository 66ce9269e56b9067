# %% right 1: the losses in the loop
def kept_states(n, steps):
    x = jnp.ones(n)
    before = alive()
    losses = []
    for _ in range(steps):
        losses.append(jnp.mean(x**2))
        x = 0.9 * x
    return {"bytes": jnp.array(alive() - before), "losses": jnp.stack(losses)}


# %% right 1: a few numbers of each state
def kept_states(n, steps):
    x = jnp.ones(n)
    before = alive()
    states = []
    for _ in range(steps):
        states.append(x[:4])
        x = 0.9 * x
    return {"bytes": jnp.array(alive() - before), "losses": jnp.stack([jnp.mean(x**2) for x in states])}


# %% wrong 1: the last state alone
def kept_states(n, steps):
    x = jnp.ones(n)
    before = alive()
    for _ in range(steps):
        x = 0.9 * x
    return {"bytes": jnp.array(alive() - before), "losses": jnp.full(steps, jnp.mean(x**2))}


# %% wrong 1: shorter arrays
def kept_states(n, steps):
    x = jnp.ones(10)
    before = alive()
    states = []
    for _ in range(steps):
        states.append(x)
        x = 0.9 * x
    return {"bytes": jnp.array(alive() - before), "losses": jnp.stack([jnp.mean(x**2) for x in states])}


# %% right 2: donate_argnums
def two_names(n):
    before = alive()
    x = jnp.ones(n)
    y = jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    both = alive() - before
    del x
    one = alive() - before
    return {"both": jnp.array(both), "one": jnp.array(one), "first": y[0]}


# %% right 2: donate_argnames, of a function with a name
def add_one(x):
    return x + 1


def two_names(n):
    before = alive()
    x = jnp.ones(n)
    y = jax.jit(add_one, donate_argnames="x")(x)
    both = alive() - before
    del x
    one = alive() - before
    return {"both": jnp.array(both), "one": jnp.array(one), "first": y[0]}


# %% wrong 2: the name is deleted sooner
def two_names(n):
    before = alive()
    x = jnp.ones(n)
    y = x + 1
    del x
    both = alive() - before
    one = alive() - before
    return {"both": jnp.array(both), "one": jnp.array(one), "first": y[0]}


# %% wrong 2: jit without donation
def two_names(n):
    before = alive()
    x = jnp.ones(n)
    y = jax.jit(lambda x: x + 1)(x)
    both = alive() - before
    del x
    one = alive() - before
    return {"both": jnp.array(both), "one": jnp.array(one), "first": y[0]}
