"""Documentation of the check recompiles (https://docs.jax.dev/en/latest/jit-compilation.html)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="recompiles",
    part="tracing",
    levels={"warning": ""},
    name="recompilation",
    summary="A function is compiled again and again for the same reason.",
    what=(
        "A function is compiled three times or more. Each time `jit` is called on a new function, a static "
        "argument has a new value, or an array has a new shape. Compiling takes far longer than most calls."
    ),
    why_silent="The result is right, only late. `jax_log_compiles` lists every compilation, but not why there was one.",
    fix=(
        "Call `jit` once, outside of the loop; pass what changes as an array instead of a static argument; pad to a"
        " few shapes."
    ),
    bad="""
import jax
import jax.numpy as jnp


def train():
    x = jnp.ones(3)
    for _ in range(4):
        x = jax.jit(lambda y: 2 * y)(x)
    return x
""",
    good="""
import jax
import jax.numpy as jnp


def train():
    x = jnp.ones(3)
    double = jax.jit(lambda y: 2 * y)
    for _ in range(4):
        x = double(x)
    return x
""",
    labels=("compiled again and again", "called here"),
    lessons={
        "new function object": "jit_in_a_loop",
        "new static value": "static_recompiles",
        "new shape": "shapes_decide",
    },
)
