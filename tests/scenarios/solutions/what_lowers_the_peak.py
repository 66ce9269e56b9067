# %% right 1: a checkpoint around an inner scan
def in_a_scan(layer, ws, x):
    @jax.checkpoint
    def four(x, group):
        return jax.lax.scan(lambda x, w: (layer(x, w), None), x, group)[0], None

    x, _ = jax.lax.scan(four, x, ws.reshape(4, 4, *ws.shape[1:]))
    return jnp.mean(jnp.sum(x**2, axis=1))


# %% right 1: a function of its own
def layers_of(layer, x, group):
    x, _ = jax.lax.scan(lambda x, w: (layer(x, w), None), x, group)
    return x


def in_a_scan(layer, ws, x):
    four = jax.checkpoint(lambda x, group: layers_of(layer, x, group))
    x, _ = jax.lax.scan(lambda x, group: (four(x, group), None), x, ws.reshape(4, 4, *ws.shape[1:]))
    return jnp.mean(jnp.sum(x**2, axis=1))


# %% wrong 1: groups without a checkpoint
def in_a_scan(layer, ws, x):
    def four(x, group):
        return jax.lax.scan(lambda x, w: (layer(x, w), None), x, group)[0], None

    x, _ = jax.lax.scan(four, x, ws.reshape(4, 4, *ws.shape[1:]))
    return jnp.mean(jnp.sum(x**2, axis=1))


# %% wrong 1: a smaller batch
def inputs(layers=16, batch=128, width=64):
    w_key, x_key = jax.random.split(jax.random.key(0))
    ws = jax.random.normal(w_key, (layers, width, width)) / width**0.5
    return {"ws": ws, "x": jax.random.normal(x_key, (batch, width))}


# %% right 2: a scan that adds
def in_parts(ws, x):
    def add(total, part):
        return total + jax.grad(lambda ws: in_a_loop(block, ws, part))(ws), None

    total, _ = jax.lax.scan(add, jnp.zeros_like(ws), x.reshape(4, -1, x.shape[1]))
    return ws - 0.01 * total / 4


def plain(ws, x):
    return measured(jax.jit(in_parts), ws, x)


# %% right 2: a map and a mean
def in_parts(ws, x):
    def slopes(part):
        return jax.grad(lambda ws: in_a_loop(block, ws, part))(ws)

    return ws - 0.01 * jax.lax.map(slopes, x.reshape(4, -1, x.shape[1])).mean(axis=0)


def plain(ws, x):
    return measured(jax.jit(in_parts), ws, x)


# %% wrong 2: a Python loop over the parts
def in_parts(ws, x):
    parts = x.reshape(4, -1, x.shape[1])
    return ws - 0.01 * sum(jax.grad(lambda ws: in_a_loop(block, ws, part))(ws) for part in parts) / 4


def plain(ws, x):
    return measured(jax.jit(in_parts), ws, x)


# %% wrong 2: the scan of checkpoints
def plain(ws, x):
    return measured(jax.jit(step_of(in_a_scan, jax.checkpoint(block))), ws, x)
