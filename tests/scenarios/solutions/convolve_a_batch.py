# %% right 1: vmap over the positions
def inputs(batch=2, length=20):
    xs = jnp.arange(float(batch * length)).reshape(batch, length)
    ws = jnp.tile(jnp.array([2.0, 3.0, 4.0]), (batch, 1))
    return {"xs": xs, "ws": ws}


def convolve(x, w):
    def at(i):
        return jax.lax.dynamic_slice(x, (i,), w.shape) @ w

    return jax.vmap(at)(jnp.arange(len(x) - len(w) + 1))


# %% right 1: the windows first
def inputs(batch=2, length=20):
    xs = jnp.arange(float(batch * length)).reshape(batch, length)
    ws = jnp.tile(jnp.array([2.0, 3.0, 4.0]), (batch, 1))
    return {"xs": xs, "ws": ws}


def vmapped(xs, ws):
    def one(x, w):
        starts = jnp.arange(len(x) - len(w) + 1)
        windows = jax.vmap(lambda i: jax.lax.dynamic_slice(x, (i,), w.shape))(starts)
        return windows @ w

    return jax.vmap(one)(xs, ws)


# %% wrong 1: five numbers, as before
def convolve(x, w):
    def at(i):
        return jax.lax.dynamic_slice(x, (i,), w.shape) @ w

    return jax.vmap(at)(jnp.arange(len(x) - len(w) + 1))


# %% wrong 1: the filter the other way round
def inputs(batch=2, length=20):
    xs = jnp.arange(float(batch * length)).reshape(batch, length)
    ws = jnp.tile(jnp.array([2.0, 3.0, 4.0]), (batch, 1))
    return {"xs": xs, "ws": ws}


def convolve(x, w):
    def at(i):
        return jax.lax.dynamic_slice(x, (i,), w.shape) @ w[::-1]

    return jax.vmap(at)(jnp.arange(len(x) - len(w) + 1))


# %% right 2: as the exercise says
def convolve(x, w):
    return jnp.convolve(x, w[::-1], mode="valid")


# %% right 2: a correlation
def convolve(x, w):
    return jnp.correlate(x, w, mode="valid")


# %% wrong 2: the filter the other way round
def convolve(x, w):
    return jnp.convolve(x, w, mode="valid")


# %% wrong 2: with the ends
def convolve(x, w):
    return jnp.convolve(x, w[::-1], mode="same")


# %% right 3: without the axis of the sum
def by_hand(xs, ws):
    width = ws.shape[1]
    places = range(xs.shape[1] - width + 1)
    sums = [jnp.sum(xs[:, i : i + width] * ws) for i in places]
    return jnp.stack(sums, axis=1)


# %% right 3: in a loop
def by_hand(xs, ws):
    width, sums = ws.shape[1], []
    for i in range(xs.shape[1] - width + 1):
        sums.append(jnp.sum(xs[:, i : i + width] * ws))
    return jnp.stack(sums, axis=1)


# %% wrong 3: another mistake
def by_hand(xs, ws):
    width = ws.shape[1]
    places = range(xs.shape[1] - width + 1)
    sums = [jnp.sum(xs[:, i : i + width] * ws, axis=1) for i in places]
    return jnp.stack(sums, axis=2)


# %% wrong 3: an error of one's own
def by_hand(xs, ws):
    raise ValueError("axis")
