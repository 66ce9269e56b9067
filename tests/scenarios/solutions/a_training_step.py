# %% right 1: both are kept
def nothing_kept(x, y, steps):
    w, state = start()
    losses = []
    for _ in range(steps):
        w, state = step(w, state, x, y)
        losses.append(loss(w, x, y))
    return {"loss": jnp.stack(losses), "w": w}


# %% right 1: a scan
def nothing_kept(x, y, steps):
    def body(carry, _):
        w, state = step(*carry, x, y)
        return (w, state), loss(w, x, y)

    (w, _), losses = jax.lax.scan(body, start(), length=steps)
    return {"loss": losses, "w": w}


# %% wrong 1: the state is dropped
def nothing_kept(x, y, steps):
    w, state = start()
    losses = []
    for _ in range(steps):
        w, _ = step(w, state, x, y)
        losses.append(loss(w, x, y))
    return {"loss": jnp.stack(losses), "w": w}


# %% wrong 1: the answer is known
def nothing_kept(x, y, steps):
    w = jnp.array([1.0, -2.0, 0.5])
    return {"loss": jnp.stack([loss(w, x, y) for _ in range(steps)]), "w": w}


# %% right 2: plain descent
def train(x, y, steps):
    w, _ = start()
    losses = []
    for _ in range(steps):
        w = w - 0.1 * jax.grad(loss)(w, x, y)
        losses.append(loss(w, x, y))
    return {"loss": jnp.stack(losses), "w": w}


# start() has the squares of Adam.
def start():
    return jnp.zeros(3), {}


# %% right 2: under jit
@jax.jit
def descend(w, x, y):
    return w - 0.1 * jax.grad(loss)(w, x, y)


def train(x, y, steps):
    w = jnp.zeros(3)
    losses = []
    for _ in range(steps):
        w = descend(w, x, y)
        losses.append(loss(w, x, y))
    return {"loss": jnp.stack(losses), "w": w}


# %% wrong 2: no step at all
def train(x, y, steps):
    w = jnp.array([1.0, -2.0, 0.5])
    return {"loss": jnp.stack([loss(w, x, y) for _ in range(steps)]), "w": w}
