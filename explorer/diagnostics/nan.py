"""Documentation of the check nan (https://docs.jax.dev/en/latest/debugging/flags.html)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="nan",
    part="values",
    levels={"bug": "", "note": "nothing that is returned or printed depends on it"},
    name="NaN or inf",
    summary="An operation on finite numbers gives NaN or inf.",
    what=(
        "The finding names the first operation of your code that gives NaN or inf for finite numbers, and these "
        "numbers: `0.5 / 0`. For a gradient, the finding names the line of the forward pass. A `where` that chooses"
        " the other side does not help there: its gradient is 0, and 0 times inf is NaN."
    ),
    why_silent="NaN is a number to the hardware. `jax_debug_nans` stops at one, but runs the program in another way.",
    fix=(
        "Keep the operand where the operation is defined: put a `where` around the input, in addition to the one "
        "around the result."
    ),
    allow="Write `jnp.nan` or `-jnp.inf` explicitly: a value that you put in yourself is not a finding.",
    bad="""
import jax
import jax.numpy as jnp


def norm(x):
    return jnp.where(x > 0, jnp.sqrt(x), 0.0)


def slope():
    return jax.grad(norm)(0.0)
""",
    good="""
import jax
import jax.numpy as jnp


def norm(x):
    return jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), 0.0)


def slope():
    return jax.grad(norm)(0.0)
""",
    labels=("made here",),
    lessons={"where": "nan_from_nowhere"},
)
