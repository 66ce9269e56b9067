# %% right 1: a larger table and a longer loop
TABLE = jnp.linspace(0.0, 1.0, 300 * 300).reshape(300, 300)


def work(x):
    for _ in range(40):
        x = jnp.cos(x @ x / len(x))
    return x.sum()


# %% right 1: the product worked out
TABLE = jnp.linspace(0.0, 1.0, 90_000).reshape((300, 300))


def work(x):
    for _ in range(40):
        x = jnp.cos(jnp.dot(x, x) / len(x))
    return jnp.sum(x)


# %% wrong 1: only the table
TABLE = jnp.linspace(0.0, 1.0, 300 * 300).reshape(300, 300)


# %% wrong 1: without jit
TABLE = jnp.linspace(0.0, 1.0, 300 * 300).reshape(300, 300)


def work(x):
    for _ in range(40):
        x = jnp.cos(x @ x / len(x))
    return x.sum()


def closed_over():
    return work(TABLE)


# %% right 2: an argument
@jax.jit
def closed_over(x):
    return work(x)


# %% right 2: an argument, passed on
@jax.jit
def closed_over(x):
    return as_argument(x)


# %% wrong 2: an argument that nothing reads
@jax.jit
def closed_over(x):
    return work(TABLE)


# %% wrong 2: without jit
def closed_over(x):
    return work(x)
