"""One convolution for a batch: loop, by hand, vmap, jit."""

import jax
import jax.numpy as jnp


def inputs(batch=2, length=5):
    """Rows that count up from 0, each with the filter 2, 3, 4."""
    xs = jnp.arange(float(batch * length)).reshape(batch, length)
    ws = jnp.tile(jnp.array([2.0, 3.0, 4.0]), (batch, 1))
    return {"xs": xs, "ws": ws}


def convolve(x, w):
    """Slide the filter w along one example x."""
    places = range(len(x) - len(w) + 1)
    return jnp.stack([x[i : i + len(w)] @ w for i in places])


def loop(xs, ws):
    """A Python loop, one example after another."""
    rows = [convolve(x, w) for x, w in zip(xs, ws, strict=True)]
    return jnp.stack(rows)


def by_hand(xs, ws):
    """The function rewritten for a batch."""
    width = ws.shape[1]
    places = range(xs.shape[1] - width + 1)
    sums = [jnp.sum(xs[:, i : i + width] * ws, axis=1) for i in places]
    return jnp.stack(sums, axis=1)


def vmapped(xs, ws):
    """The unchanged function, mapped over both arguments."""
    return jax.vmap(convolve)(xs, ws)


@jax.jit
def jit_of_vmap(xs, ws):
    """The whole batch compiled as one program."""
    return jax.vmap(convolve)(xs, ws)


def vmap_of_jit(xs, ws):
    """The function under jit, then mapped."""
    return jax.vmap(jax.jit(convolve))(xs, ws)


if __name__ == "__main__":
    for variant in (loop, by_hand, vmapped, jit_of_vmap, vmap_of_jit):
        print(variant.__name__, variant(**inputs()).tolist())
