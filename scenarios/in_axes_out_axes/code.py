"""Which axis is the batch: in the arguments, and in the result."""

import jax
import jax.numpy as jnp


def inputs():
    """Two signals, the second one reversed, and a filter for each: in rows, and the same transposed."""
    x = jnp.arange(5.0)
    w = jnp.array([2.0, 3.0, 4.0])
    xs, ws = jnp.stack([x, x[::-1]]), jnp.stack([w, w])
    return {"xs": xs, "ws": ws, "xs_in_columns": xs.T, "ws_in_columns": ws.T, "w": w}


def convolve(x, w):
    """Return the weighted sums of each number and its two neighbours, shape (len(x) - 2,)."""
    return jnp.stack([jnp.dot(x[i - 1 : i + 2], w) for i in range(1, len(x) - 1)])


def batch_in_rows(xs, ws):
    """Axis 0 everywhere, the default of vmap."""
    return jax.vmap(convolve)(xs, ws)


def batch_in_columns(xs_in_columns, ws_in_columns):
    """Axis 1 for the arguments, and axis 1 for the result."""
    return jax.vmap(convolve, in_axes=1, out_axes=1)(xs_in_columns, ws_in_columns)


def one_filter(xs, w):
    """The signals in rows; a single filter, with None for its axis."""
    return jax.vmap(convolve, in_axes=(0, None))(xs, w)


if __name__ == "__main__":
    signals = inputs()
    print(batch_in_rows(signals["xs"], signals["ws"]))
    print(batch_in_columns(signals["xs_in_columns"], signals["ws_in_columns"]))
    print(one_filter(signals["xs"], signals["w"]))
