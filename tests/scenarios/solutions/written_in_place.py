# %% right 1: as in NumPy
def plain_write(n):
    x = jnp.zeros(n)
    place = x.unsafe_buffer_pointer()
    x[0] = 9.0
    return {"x": x[:4], "same_place": x.unsafe_buffer_pointer() == place}


# %% right 1: under another name
def plain_write(n):
    x = jnp.zeros(n)
    y = x
    y[0] = 9
    return {"x": x[:4], "y": y[:4]}


# %% wrong 1: an array of NumPy
def plain_write(n):
    x = np.zeros(n)
    x[0] = 9.0
    return {"x": x[:4]}


# %% wrong 1: nothing changed
def plain_write(n):
    x = jnp.zeros(n)
    y = write(x)
    return {"x": x[:4], "y": y[:4]}


# %% right 2: a second function that donates
@partial(jax.jit, donate_argnames="x")
def write_second(x):
    return x.at[1].set(9.0)


def donated_write(n):
    x = jnp.zeros(n)
    place = x.unsafe_buffer_pointer()
    y = write_second(write_donated(x))
    return {"y": y[:4], "same_place": y.unsafe_buffer_pointer() == place, "deleted": x.is_deleted()}


# %% right 2: a lambda
def donated_write(n):
    x = jnp.zeros(n)
    place = x.unsafe_buffer_pointer()
    y = write_donated(x)
    z = jax.jit(lambda y: y.at[1].set(9.0), donate_argnums=0)(y)
    return {"y": z[:4], "same_place": z.unsafe_buffer_pointer() == place, "deleted": x.is_deleted()}


# %% wrong 2: one function writes both
@partial(jax.jit, donate_argnames="x")
def write_donated(x):
    return x.at[:2].set(9.0)


# %% wrong 2: everything is a 9
@partial(jax.jit, donate_argnames="x")
def write_all(x):
    return x.at[:].set(9.0)


def donated_write(n):
    x = jnp.zeros(n)
    place = x.unsafe_buffer_pointer()
    y = write_all(write_donated(x))
    return {"y": y[:4], "same_place": y.unsafe_buffer_pointer() == place, "deleted": x.is_deleted()}


# %% right 3: used after it was donated
def donated_write(n):
    x = jnp.zeros(n)
    y = write_donated(x)
    return {"x": x[:4], "y": y[:4]}


# %% right 3: a pair
def donated_write(n):
    x = jnp.zeros(n)
    y = write_donated(x)
    return y[:4], x[:4]


# %% wrong 3: not donated
def donated_write(n):
    x = jnp.zeros(n)
    y = write(x)
    return {"x": x[:4], "y": y[:4]}


# %% wrong 3: an error of one's own
def donated_write(n):
    raise RuntimeError("Array has been deleted")
