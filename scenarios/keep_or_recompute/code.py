"""Sixteen layers, and what their forward pass keeps for the backward pass."""

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def inputs(layers=16, batch=256, width=64):
    """The weights of all layers, and a batch."""
    w_key, x_key = jax.random.split(jax.random.key(0))
    ws = jax.random.normal(w_key, (layers, width, width)) / jnp.sqrt(width)
    return {"ws": ws, "x": jax.random.normal(x_key, (batch, width))}


def block(h, w):
    """Return the output of one layer for `h`."""
    product = h @ w
    bent = jnp.tanh(product)
    return h + 0.1 * jnp.sin(bent)


def loss_of(layer, ws, x):
    """Send `x` through all layers and return the mean square."""
    h, _ = jax.lax.scan(lambda h, w: (layer(h, w), None), x, ws)
    return jnp.mean(h**2)


def plain(ws, x):
    """Return the loss; the layers are as they are."""
    return loss_of(block, ws, x)


def checkpointed(ws, x):
    """Return the loss; each layer is a checkpoint."""
    return loss_of(jax.checkpoint(block), ws, x)


def with_policy(ws, x):
    """Return the loss; each layer is a checkpoint with a policy."""
    policy = jax.checkpoint_policies.dots_saveable
    return loss_of(jax.checkpoint(block, policy=policy), ws, x)


def kept_by(loss, ws, x):
    """Return the MiB that `loss` keeps for its backward pass."""
    _, way_back = jax.vjp(loss, ws, x)
    arrays = jax.tree.leaves(way_back)
    size = sum(each.nbytes for each in arrays)
    return jnp.float32(size / 2**20)


def kept(ws, x):
    """Return the MiB of the weights, and of what each loss keeps."""
    found = {"weights": jnp.float32(ws.nbytes / 2**20)}
    for loss in (plain, checkpointed, with_policy):
        found[loss.__name__] = kept_by(loss, ws, x)
    return found


def named_block(h, w):
    """Return the same as `block`; the result of `tanh` has a name."""
    bent = checkpoint_name(jnp.tanh(h @ w), "bent")
    return h + 0.1 * jnp.sin(bent)


def kept_by_name(policy, ws, x):
    """Return the MiB kept with `policy`, and those kept without one."""
    layer = jax.checkpoint(named_block, policy=policy)
    return {
        "by_name": kept_by(lambda ws, x: loss_of(layer, ws, x), ws, x),
        "checkpointed": kept_by(checkpointed, ws, x),
    }


def wrong_name(ws, x):
    """Keep what is called "bend"."""
    policy = jax.checkpoint_policies.save_only_these_names("bend")
    return kept_by_name(policy, ws, x)


def right_name(ws, x):
    """Keep what is called "bent"."""
    policy = jax.checkpoint_policies.save_only_these_names("bent")
    return kept_by_name(policy, ws, x)


if __name__ == "__main__":
    arrays = inputs()
    print(plain(**arrays), checkpointed(**arrays), with_policy(**arrays))
    print(kept(**arrays))
    print(wrong_name(**arrays), right_name(**arrays))
