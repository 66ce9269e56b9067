# %% right 1: the level twice
def step(level, poured):
    level = level - level / 2 + poured
    return level, level


# %% right 1: a name for each
def step(level, poured):
    lost = level / 2
    new_level = level - lost + poured
    return new_level, new_level


# %% wrong 1: the level before the step
def step(level, poured):
    return level - level / 2 + poured, level


# %% wrong 1: a Python loop
def scan(level, poured):
    levels = []
    for each in poured:
        level, _ = step(level, each)
        levels.append(level)
    return level, jnp.stack(levels)


# %% right 2: a pair in the carry
def scan(level, poured):
    def body(carry, poured):
        level, total = carry
        level, lost = step(level, poured)
        return (level, total + lost), lost

    return jax.lax.scan(body, (level, 0.0), poured)


# %% right 2: with the levels as the output, and an array as the start
def scan(level, poured):
    def body(carry, poured):
        level, lost = step(carry[0], poured)
        return (level, carry[1] + lost), level

    return jax.lax.scan(body, (level, jnp.zeros(())), poured)


# %% wrong 2: the number itself
def scan(level, poured):
    level, losses = jax.lax.scan(step, level, poured)
    return (level, jnp.float32(13.75)), losses


# %% wrong 2: the sum of what was poured
def scan(level, poured):
    def body(carry, poured):
        level, total = carry
        level, lost = step(level, poured)
        return (level, total + poured), lost

    return jax.lax.scan(body, (level, 0.0), poured)
