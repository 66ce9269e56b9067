# %% right 1: each by itself
def two_arguments(w, b, x, y):
    slope_w, slope_b = jax.grad(loss, argnums=(0, 1))(w, b, x, y)
    return w - 0.05 * slope_w, b - 0.05 * slope_b


# %% right 1: with tree.map
def two_arguments(w, b, x, y):
    slopes = jax.grad(loss, argnums=(0, 1))(w, b, x, y)
    return jax.tree.map(lambda value, slope: value - 0.05 * slope, (w, b), slopes)


# %% wrong 1: along the slope
def two_arguments(w, b, x, y):
    slope_w, slope_b = jax.grad(loss, argnums=(0, 1))(w, b, x, y)
    return w + 0.05 * slope_w, b + 0.05 * slope_b


# %% wrong 1: the numbers themselves
def two_arguments(w, b, x, y):
    return jnp.float32(1.6), jnp.float32(0.4)


# %% right 2: 1.0
def whole_number(x, y):
    return jax.grad(loss)(1.0, 0.0, x, y)


# %% right 2: a float32
def whole_number(x, y):
    return jax.grad(loss)(jnp.float32(1), 0.0, x, y)


# %% wrong 2: another number
def whole_number(x, y):
    return jax.grad(loss)(2.0, 0.0, x, y)


# %% wrong 2: no gradient
def whole_number(x, y):
    return loss(1, 0.0, x, y)
