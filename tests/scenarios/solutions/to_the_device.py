# %% right 1: a loop over the stack
def guarded(data):
    stack = jax.device_put(np.stack(data))
    total = jnp.float32(0)
    for batch in jnp.unstack(stack):
        total = step(total, batch)
    with jax.transfer_guard("disallow"):
        return total


# %% right 1: a scan
def guarded(data):
    zero = jnp.float32(0)
    with jax.transfer_guard("disallow"):
        stack = jax.device_put(np.stack(data))
        return jax.lax.scan(lambda total, batch: (step(total, batch), None), zero, stack)[0]


# %% wrong 1: without the guard
def guarded(data):
    total = jnp.float32(0)
    for batch in data:
        total = step(total, batch)
    return total


# %% wrong 1: a transfer in each step
def guarded(data):
    total = jnp.float32(0)
    with jax.transfer_guard("disallow"):
        for batch in data:
            total = step(total, jax.device_put(batch))
    return total
