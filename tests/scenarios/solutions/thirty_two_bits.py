# %% right 1: another entry
def with_x64(steps):
    with jax.enable_x64(True):
        return {**float_count(steps), "whole": whole_count(steps)}


# %% right 1: added afterwards
def with_x64(steps):
    with jax.enable_x64(True):
        found = float_count(steps)
        found["whole"] = whole_count(steps)
    return found


# %% wrong 1: outside of the block
def with_x64(steps):
    with jax.enable_x64(True):
        found = float_count(steps)
    return {**found, "whole": whole_count(steps)}


# %% wrong 1: nothing changed
def with_x64(steps):
    with jax.enable_x64(True):
        return float_count(steps)


# %% right 2: rows
def add_up():
    tenths = jnp.full(1_000_000, 0.1)
    rows = tenths.reshape(1000, 1000)
    one_by_one, _ = jax.lax.scan(lambda total, row: (total + row.sum(), None), 0.0, rows)
    return {"one_by_one": one_by_one, "sum": jnp.sum(tenths)}


# %% right 2: the sums of the rows first
def add_up():
    tenths = jnp.full((1000, 1000), 0.1)
    one_by_one, _ = jax.lax.scan(lambda total, each: (total + each, None), 0.0, jnp.sum(tenths, axis=1))
    return {"one_by_one": one_by_one, "sum": jnp.sum(tenths)}


# %% wrong 2: 64 bits
def add_up():
    with jax.enable_x64(True):
        tenths = jnp.full(1_000_000, 0.1)
        one_by_one, _ = jax.lax.scan(lambda total, each: (total + each, None), 0.0, tenths)
        return {"one_by_one": one_by_one, "sum": jnp.sum(tenths)}


# %% wrong 2: the sum itself
def add_up():
    tenths = jnp.full(1_000_000, 0.1)
    return {"one_by_one": jnp.sum(tenths), "sum": jnp.sum(tenths)}
