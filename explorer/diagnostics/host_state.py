"""Documentation of the check host-state.

https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions
"""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="host-state",
    part="tracing",
    levels={"bug": "", "note": "nothing that the program computes depends on it"},
    name="side effect while jit traces",
    summary="A global, an attribute, a list or a dict is changed while JAX traces, or after.",
    what=(
        "A traced function changes a global, an attribute, a list or a dict, or prints: that happens once, while "
        "tracing, and not in later calls. Or it reads a value that changes afterwards: the compiled program still has "
        "the old one. `check` and the window look for both; `run` does not."
    ),
    why_silent="JAX records operations on arrays. Anything else that Python does leaves no trace in the program.",
    fix="Pass the state in as an argument and return the new state; the caller keeps it.",
    bad="""
import jax
import jax.numpy as jnp

SCALE = 1.0


@jax.jit
def scaled(x):
    return SCALE * x


def twice():
    global SCALE
    first = scaled(jnp.ones(3))
    SCALE = 2.0
    return first, scaled(jnp.ones(3))
""",
    good="""
import jax
import jax.numpy as jnp


@jax.jit
def scaled(x, scale):
    return scale * x


def twice():
    return scaled(jnp.ones(3), 1.0), scaled(jnp.ones(3), 2.0)
""",
    labels=("a side effect",),
    lessons={"": "once_per_compile"},
)
