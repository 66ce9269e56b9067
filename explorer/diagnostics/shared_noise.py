"""Documentation of the check shared-noise: one key shared by examples or devices, which get the same noise."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="shared-noise",
    part="keys",
    levels={
        "bug": "",
        "warning": "the key is named as fixed, such as `common_key`",
        "note": (
            "it makes weights that a batch shares, no output depends on the numbers, or a comment says that it is on "
            "purpose"
        ),
    },
    name="shared noise",
    summary="One random key, or equal keys, for several examples or devices.",
    what=(
        "A draw inside `vmap`, `pmap` or `shard_map` gets the same key for every example or device, so all of them "
        "get the same noise. Usually the key stands at `None` in `in_axes=(0, None)`. Or a mapped function closes over "
        "the key, or it is replicated over the devices."
    ),
    why_silent=(
        "A value that is not mapped is broadcast: for a learning rate that is what you want, and JAX does not know "
        "that it is a key. Shapes and types are right, and the numbers of one example look random."
    ),
    fix=(
        "Split the key, one for each example, and map over the keys: `jax.vmap(f)(xs, jax.random.split(key, "
        "len(xs)))`. On devices fold in `jax.lax.axis_index`."
    ),
    has_mark=True,
    bad="""
import jax
import jax.numpy as jnp


def noisy(x, key):
    return x + jax.random.normal(key, x.shape)


def batch():
    return jax.vmap(noisy, in_axes=(0, None))(jnp.zeros((4, 3)), jax.random.key(0))
""",
    good="""
import jax
import jax.numpy as jnp


def noisy(x, key):
    return x + jax.random.normal(key, x.shape)


def batch():
    return jax.vmap(noisy)(jnp.zeros((4, 3)), jax.random.split(jax.random.key(0), 4))
""",
    labels=("drawn here", "shared from here"),
    one_place="drawn here for all of them",
    lessons={
        "": "one_key_for_the_batch",
        "equal keys": "shared_by_closure",
        "inner axis": "nested_vmap",
        "devices": "many_devices",
    },
)
