# %% right 1: without out_axes
def batch_in_columns(xs_in_columns, ws_in_columns):
    return jax.vmap(convolve, in_axes=1)(xs_in_columns, ws_in_columns)


# %% right 1: the default, written out
def batch_in_columns(xs_in_columns, ws_in_columns):
    return jax.vmap(convolve, in_axes=1, out_axes=0)(xs_in_columns, ws_in_columns)


# %% wrong 1: transposed afterwards
def batch_in_columns(xs_in_columns, ws_in_columns):
    return jax.vmap(convolve, in_axes=1, out_axes=1)(xs_in_columns, ws_in_columns).T


# %% wrong 1: the numbers themselves
def batch_in_columns(xs_in_columns, ws_in_columns):
    return jnp.array([[11.0, 20.0, 29.0], [25.0, 16.0, 7.0]])
