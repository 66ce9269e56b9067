"""A policy of a checkpoint has a name that nothing in the function has."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="unknown-checkpoint-name",
    part="tracing",
    levels={"bug": ""},
    name="unknown checkpoint name",
    summary="A policy of `jax.checkpoint` has a name that no `checkpoint_name` in the function has.",
    what=(
        "A policy such as `save_only_these_names` or `save_any_names_but_these` has a name, and no `checkpoint_name` "
        "in the functions that it is used for has it. If other names of the policy are there, only a name that is much "
        "like one in the function is reported: policies may be written for several models."
    ),
    why_silent=(
        "A policy is a function that JAX asks of each operation. A name that never comes up is never asked for. The "
        "numbers are right; the program only computes again what it should have saved."
    ),
    fix="Write the name as `checkpoint_name` has it, or give the array that name.",
    bad="""
import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def slope():
    def layer(x):
        return jnp.sum(jnp.sin(checkpoint_name(jnp.exp(x), "hidden")))

    policy = jax.checkpoint_policies.save_only_these_names("hiden")
    return jax.grad(jax.checkpoint(layer, policy=policy))(jnp.ones(3))
""",
    good="""
import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name


def slope():
    def layer(x):
        return jnp.sum(jnp.sin(checkpoint_name(jnp.exp(x), "hidden")))

    policy = jax.checkpoint_policies.save_only_these_names("hidden")
    return jax.grad(jax.checkpoint(layer, policy=policy))(jnp.ones(3))
""",
    labels=("no array has this name",),
    lessons={"": "keep_or_recompute"},
)
