# %% right 1: the step, folded in
def seed_at_the_start(stop, end, width):
    def program(saved):
        key = jax.random.fold_in(jax.random.key(0), saved["step"])
        rows = list(saved["rows"])
        for _ in range(saved["step"], saved["until"]):
            key, subkey = jax.random.split(key)
            rows.append(jax.random.normal(subkey, (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))


# %% right 1: as many rows as there are
def seed_at_the_start(stop, end, width):
    def program(saved):
        rows = list(saved["rows"])
        key = jax.random.fold_in(jax.random.key(0), len(rows))
        for _ in range(saved["step"], saved["until"]):
            key, subkey = jax.random.split(key)
            rows.append(jax.random.normal(subkey, (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))


# %% wrong 1: a number that does not depend on the step
def seed_at_the_start(stop, end, width):
    def program(saved):
        key = jax.random.fold_in(jax.random.key(0), 1)
        rows = list(saved["rows"])
        for _ in range(saved["step"], saved["until"]):
            key, subkey = jax.random.split(key)
            rows.append(jax.random.normal(subkey, (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))


# %% wrong 1: noise from NumPy
import numpy as np


def seed_at_the_start(stop, end, width):
    jax.random.key(0)
    return np.random.default_rng(0).normal(size=(end, width))


# %% right 2: counted by enumerate
def key_from_the_step(stop, end, width):
    def program(saved):
        base = jax.random.key(0)
        rows = list(saved["rows"])
        for step, _ in enumerate(range(saved["step"], saved["until"])):
            rows.append(jax.random.normal(jax.random.fold_in(base, step), (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))


# %% right 2: less the step that it starts from
def key_from_the_step(stop, end, width):
    def program(saved):
        base = jax.random.key(0)
        rows = list(saved["rows"])
        for step in range(saved["step"], saved["until"]):
            subkey = jax.random.fold_in(base, step - saved["step"])
            rows.append(jax.random.normal(subkey, (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))


# %% wrong 2: one number for all steps
def key_from_the_step(stop, end, width):
    def program(saved):
        base = jax.random.key(0)
        rows = list(saved["rows"])
        for _ in range(saved["step"], saved["until"]):
            rows.append(jax.random.normal(jax.random.fold_in(base, 0), (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))


# %% wrong 2: the seed at the start
def key_from_the_step(stop, end, width):
    return seed_at_the_start(stop, end, width)
