# %% right 1: as the exercise says
@jax.jit
def read(x, i, back, start):
    return {"on": x.at[i].get(mode="fill"), "back": x.at[back].get(mode="fill"), "slice": x[3:]}


# %% right 1: a guard
@jax.jit
def read(x, i, back, start):
    def guarded(index):
        inside = (index >= -len(x)) & (index < len(x))
        return jnp.where(inside, x[jnp.where(inside, index, 0)], jnp.nan)

    return {"on": guarded(i), "back": guarded(back), "slice": x[3:]}


# %% wrong 1: the last number instead
@jax.jit
def read(x, i, back, start):
    return {"on": x.at[i].get(mode="clip"), "back": x.at[back].get(mode="clip"), "slice": x[3:]}


# %% wrong 1: the slice begins where it still has four
@jax.jit
def read(x, i, back, start):
    on, before = x.at[i].get(mode="fill"), x.at[back].get(mode="fill")
    return {"on": on, "back": before, "slice": jax.lax.dynamic_slice(x, (start - 2,), (4,))}


# %% right 2: a comparison, added up
@jax.jit
def write(x, i):
    numbers = jnp.array([0, 1, 2, i])
    return {
        "set": x.at[i].set(9.0, mode="drop"),
        "sums": jax.ops.segment_sum(jnp.full(4, 9.0), numbers, num_segments=4, mode="drop"),
        "lost": jnp.sum(numbers >= 4),
    }


# %% right 2: those that are counted with where
@jax.jit
def write(x, i):
    numbers = jnp.array([0, 1, 2, i])
    sums = jax.ops.segment_sum(jnp.full(4, 9.0), numbers, num_segments=4, mode="drop")
    lost = jnp.where(numbers > 3, 1, 0).sum()
    return {"set": x.at[i].set(9.0, mode="drop"), "sums": sums, "lost": lost}


# %% wrong 2: the number itself
@jax.jit
def write(x, i):
    numbers = jnp.array([0, 1, 2, i])
    sums = jax.ops.segment_sum(jnp.full(4, 9.0), numbers, num_segments=4, mode="drop")
    return {"set": x.at[i].set(9.0, mode="drop"), "sums": sums, "lost": jnp.int32(1)}


# %% wrong 2: counted, but without a mode
@jax.jit
def write(x, i):
    numbers = jnp.array([0, 1, 2, i])
    sums = jax.ops.segment_sum(jnp.full(4, 9.0), numbers, num_segments=4)
    return {"set": x.at[i].set(9.0), "sums": sums, "lost": jnp.sum(numbers >= 4)}
