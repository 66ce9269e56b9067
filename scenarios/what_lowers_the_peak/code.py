"""A training step of sixteen layers, with donation, with checkpoints, with a scan."""

from functools import cache

import jax
import jax.numpy as jnp


def inputs(layers=16, batch=512, width=64):
    """The weights of all layers, and a batch."""
    w_key, x_key = jax.random.split(jax.random.key(0))
    ws = jax.random.normal(w_key, (layers, width, width)) / width**0.5
    return {"ws": ws, "x": jax.random.normal(x_key, (batch, width))}


def block(h, w):
    """Return the output of one layer for `h`."""
    return h + 0.1 * jnp.sin(jnp.tanh(h @ w))


def in_a_loop(layer, ws, x):
    """Send `x` through all layers in a Python loop, and return a loss."""
    for w in ws:
        x = layer(x, w)
    return jnp.mean(jnp.sum(x**2, axis=1))


def in_a_scan(layer, ws, x):
    """Send `x` through all layers in a scan, and return a loss."""
    x, _ = jax.lax.scan(lambda x, w: (layer(x, w), None), x, ws)
    return jnp.mean(jnp.sum(x**2, axis=1))


def step_of(network, layer):
    """Return a training step: it takes weights and a batch, and returns new weights."""

    def step(ws, x):
        return ws - 0.01 * jax.grad(lambda ws: network(layer, ws, x))(ws)

    return step


STEPS = {
    "plain": jax.jit(step_of(in_a_loop, block)),
    "donated": jax.jit(step_of(in_a_loop, block), donate_argnums=0),
    "checkpointed": jax.jit(step_of(in_a_loop, jax.checkpoint(block))),
    "scanned": jax.jit(step_of(in_a_scan, block)),
    "scanned_checkpoints": jax.jit(step_of(in_a_scan, jax.checkpoint(block))),
}


@cache
def size(step, *shapes):
    """Return the MiB that a jitted step needs besides its arguments."""
    memory = step.lower(*(jax.ShapeDtypeStruct(each, jnp.float32) for each in shapes)).compile().memory_analysis()
    reused = memory.alias_size_in_bytes
    return (memory.temp_size_in_bytes + memory.output_size_in_bytes - reused) / 2**20


def measured(step, ws, x):
    """Return the result of a jitted step, its MiB, and the MiB that it saves of the plain one."""
    own, plain_size = size(step, ws.shape, x.shape), size(STEPS["plain"], ws.shape, x.shape)
    sizes = {"MiB": own, "saved": plain_size - own, "plain": plain_size, "weights": ws.nbytes / 2**20}
    return {"ws": step(ws, x), **{name: jnp.float32(round(each, 2)) for name, each in sizes.items()}}


def plain(ws, x):
    """Take a step; the layers are as they are."""
    return measured(STEPS["plain"], ws, x)


def donated(ws, x):
    """Take a step that gets the old weights for good."""
    return measured(STEPS["donated"], ws, x)


def checkpointed(ws, x):
    """Take a step; each layer is a checkpoint."""
    return measured(STEPS["checkpointed"], ws, x)


def scanned(ws, x):
    """Take a step; the layers are a scan."""
    return measured(STEPS["scanned"], ws, x)


def scanned_checkpoints(ws, x):
    """Take a step; the layers are a scan of checkpoints."""
    return measured(STEPS["scanned_checkpoints"], ws, x)


if __name__ == "__main__":
    for variant in (plain, donated, checkpointed, scanned, scanned_checkpoints):
        print(variant.__name__, variant(**inputs())["MiB"])
