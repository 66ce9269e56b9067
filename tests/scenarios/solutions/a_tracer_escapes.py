# %% right 1: returned
def append_and_use(x, calls):
    kept.clear()

    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        return hidden.sum(), hidden

    for call in range(calls):
        _, hidden = layer(x + call)
        kept.append(hidden)
    return jnp.stack(kept)


# %% right 1: returned in a dict, and no list
def append_and_use(x, calls):
    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        return {"sum": hidden.sum(), "hidden": hidden}

    return jnp.stack([layer(x + call)["hidden"] for call in range(calls)])


# %% wrong 1: without jit
def append_and_use(x, calls):
    kept.clear()

    def layer(x):
        hidden = jnp.sqrt(x)
        kept.append(hidden)
        return hidden.sum()

    for call in range(calls):
        layer(x + call)
    return jnp.stack(kept)


# %% wrong 1: the value of the first call, in each
def append_and_use(x, calls):
    layer = jax.jit(jnp.sqrt)
    return jnp.stack([layer(x)] * calls)


# %% right 2: the loop in a block
def append_and_count(x, calls):
    kept.clear()

    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        kept.append(hidden)
        return hidden.sum()

    with jax.checking_leaks():
        for call in range(calls):
            layer(x + call)
    print("kept:", kept)
    return len(kept)


# %% right 2: the whole of it
def append_and_count(x, calls):
    kept.clear()
    with jax.checking_leaks():

        def layer(x):
            hidden = jnp.sqrt(x)
            kept.append(hidden)
            return hidden.sum()

        jitted = jax.jit(layer)
        for call in range(calls):
            jitted(x + call)
        print("kept:", kept)
    return len(kept)


# %% wrong 2: an exception of one's own
def append_and_count(x, calls):
    raise Exception("Leaked")


# %% wrong 2: too late
def append_and_count(x, calls):
    kept.clear()

    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        kept.append(hidden)
        return hidden.sum()

    for call in range(calls):
        layer(x + call)
    with jax.checking_leaks():
        print("kept:", kept)
    return len(kept)
