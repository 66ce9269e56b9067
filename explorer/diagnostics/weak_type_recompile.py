"""Documentation of the check weak-type-recompile (https://docs.jax.dev/en/latest/type_promotion.html#weak-types)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="weak-type-recompile",
    part="tracing",
    levels={"warning": ""},
    name="recompilation by a weak type",
    summary="A function is compiled a second time only because a number has a weak type in one call.",
    what=(
        "A function under `jit` is called with a Python number, and with an array of the same shape and dtype. Or "
        "what it returns is passed to it again, and has lost its weak type. Two such calls are two programs."
    ),
    why_silent=(
        "A Python number has a weak type: it takes the dtype of the array that it meets. A program may compute "
        "something else with it, so JAX makes another one. The result is right, only late."
    ),
    fix="Pass the same type in every call: `jnp.float32(x)`, or `jnp.asarray(x, dtype)`.",
    bad="""
import jax
import jax.numpy as jnp


def train():
    @jax.jit
    def step(x):
        return x + jnp.ones(())

    x = 0.0
    for _ in range(3):
        x = step(x)
    return x
""",
    good="""
import jax
import jax.numpy as jnp


def train():
    @jax.jit
    def step(x):
        return x + jnp.ones(())

    x = jnp.float32(0.0)
    for _ in range(3):
        x = step(x)
    return x
""",
    may_come_with_a_fix=True,
    labels=("compiled again here", "a Python number, or made of one"),
    lessons={"": "shapes_decide"},
)
