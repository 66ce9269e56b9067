# %% right 1: one more in the tuple
def four_calls(three, five, table):
    jitted = jax.jit(log_of_tables)
    return [jitted(x) for x in (three, five, three, table, jnp.arange(3))]


# %% right 1: a call before the others
def four_calls(three, five, table):
    jitted = jax.jit(log_of_tables)
    whole = jitted(jnp.arange(3))
    return [whole, *[jitted(x) for x in (three, five, three, table)]]


# %% wrong 1: real numbers
def four_calls(three, five, table):
    jitted = jax.jit(log_of_tables)
    return [jitted(x) for x in (three, five, three, table, jnp.arange(3.0))]


# %% wrong 1: without jit
def four_calls(three, five, table):
    return [log_of_tables(x) for x in (three, five, three, table, jnp.arange(3))]
