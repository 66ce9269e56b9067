"""Documentation of the check discarded-update (https://docs.jax.dev/en/latest/_autosummary/jax.Array.at.html)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="discarded-update",
    part="tracing",
    levels={"bug": ""},
    name="discarded update",
    summary="The result of `x.at[i].set(v)` is thrown away, so `x` stays as it was.",
    what=(
        "`x.at[i].set(v)` stands alone on a line, or another method of `x.at[i]`: `add`, `multiply`, `min` and so "
        "on. It returns a changed copy, and nothing keeps that copy."
    ),
    why_silent=(
        "JAX arrays cannot be changed in place. The update is a pure function of the array, and a program may leave "
        "any result unused."
    ),
    fix="Assign the result: `x = x.at[i].set(v)`. In a function that changes its argument, return the result.",
    bad="""
import jax.numpy as jnp


def first_is_nine():
    x = jnp.zeros(3)
    x.at[0].set(9.0)
    return x
""",
    good="""
import jax.numpy as jnp


def first_is_nine():
    x = jnp.zeros(3)
    x = x.at[0].set(9.0)
    return x
""",
    allow="`_ = x.at[i].set(v)` says that the result is not needed.",
    labels=("thrown away here",),
    lessons={"": "written_in_place"},
)
