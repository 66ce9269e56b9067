"""Documentation of the check leaked-tracer (https://docs.jax.dev/en/latest/errors.html)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="leaked-tracer",
    part="tracing",
    levels={"bug": ""},
    name="leaked tracer",
    summary="A tracer is stored outside of the function that is traced.",
    what=(
        "A traced function stores a value in a global, an attribute, a list or a dict. The stored value is a tracer, "
        "which has a shape and a dtype but no values. Code that uses it later raises an `UnexpectedTracerError`, "
        "often far away from the line that stored it."
    ),
    why_silent=(
        "JAX notices only when the tracer is used. `jax_check_tracer_leaks` notices earlier, but is off, and slow."
    ),
    fix="Return the value instead of storing it; to look at it while the program runs, use `jax.debug.callback`.",
    bad="""
import jax
import jax.numpy as jnp

seen = []


@jax.jit
def double(x):
    seen.append(x)
    return 2 * x


def doubled():
    return double(jnp.ones(3))
""",
    good="""
import jax
import jax.numpy as jnp


@jax.jit
def double(x):
    return 2 * x, x


def doubled():
    result, seen = double(jnp.ones(3))
    return result
""",
    labels=("left here", "made here"),
    lessons={"": "a_tracer_escapes"},
)
