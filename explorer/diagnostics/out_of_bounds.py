"""Documentation of the check out-of-bounds (https://docs.jax.dev/en/latest/_autosummary/jax.Array.at.html)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="out-of-bounds",
    part="values",
    levels={"bug": ""},
    name="index out of bounds",
    summary="An index, slice or write beyond the end of an array.",
    what=(
        "Your line reads or writes an element that the array does not have. A read takes the last element, or "
        "returns a fill value; a slice begins earlier, so that it fits; a write is dropped."
    ),
    why_silent="A compiled program cannot raise an exception in the middle, so JAX defines a result instead.",
    fix="Fix the index; or write which behaviour you mean: `x.at[i].get(mode='clip')`, `mode='fill'`, `mode='drop'`.",
    allow="Write the mode: then it is not a finding.",
    bad="""
import jax.numpy as jnp


def last():
    x = jnp.arange(3.0)
    i = jnp.asarray(3)
    return x[i]
""",
    good="""
import jax.numpy as jnp


def last():
    x = jnp.arange(3.0)
    i = jnp.asarray(2)
    return x[i]
""",
    labels=("beyond the end",),
    lessons={"": "beyond_the_end"},
)
