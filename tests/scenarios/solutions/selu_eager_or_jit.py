# %% right 1: expm1
def inputs(n=10):
    return {"x": jnp.linspace(-5.0, 5.0, n)}


def selu(x):
    return SCALE * jnp.where(x > 0, x, ALPHA * jnp.expm1(x))


# %% right 1: expm1 of lax
def inputs(n=10):
    return {"x": jnp.linspace(-5.0, 5.0, n)}


def selu(x):
    return SCALE * jnp.where(x > 0, x, jax.lax.expm1(x) * ALPHA)


# %% wrong 1: 1 is still subtracted
def inputs(n=10):
    return {"x": jnp.linspace(-5.0, 5.0, n)}


def selu(x):
    return SCALE * jnp.where(x > 0, x, ALPHA * (jnp.expm1(x) - 1))


# %% wrong 1: nothing changed but the size
def inputs(n=10):
    return {"x": jnp.linspace(-5.0, 5.0, n)}


# %% right 2: around the whole
def selu(x):
    return jnp.tanh(SCALE * jnp.where(x > 0, x, ALPHA * (jnp.exp(x) - 1)))


# %% right 2: on one side
def selu(x):
    return SCALE * jnp.where(x > 0, jnp.tanh(x), ALPHA * (jnp.exp(x) - 1))


# %% wrong 2: instead of the formula
def selu(x):
    return jnp.tanh(x)


# %% wrong 2: in the other variant
@jax.jit
def selu_jit(x):
    return jnp.tanh(selu(x))


# %% right 3: a method
@jax.jit
def selu_jit(x):
    return selu(x).sum()


# %% right 3: a function
@jax.jit
def selu_jit(x):
    return jnp.sum(selu(x))


# %% wrong 3: the largest
@jax.jit
def selu_jit(x):
    return selu(x).max()


# %% wrong 3: the sum of the numbers that came in
@jax.jit
def selu_jit(x):
    return jnp.sum(jnp.where(x > 0, x, 0.0))
