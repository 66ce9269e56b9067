"""Documentation of the check host-random.

https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions
"""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="host-random",
    part="tracing",
    levels={"bug": "", "note": "nothing that the program computes depends on it"},
    name="random number that jit freezes",
    summary="A random number from outside of JAX, a clock or a UUID is read while JAX traces.",
    what=(
        "`random`, `np.random`, `time` or `uuid` is called inside a function that JAX traces. That happens once, "
        "while tracing. The value becomes a constant of the compiled program: the same in every call, in every "
        "iteration of a `scan`, and for every example of a `vmap`."
    ),
    why_silent="JAX sees only the number that Python passes, and cannot know where it comes from.",
    fix="Draw with `jax.random` from a key that is an argument; pass a time in as an argument.",
    bad="""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(x):
    return x + np.random.normal()


def train():
    return step(jnp.zeros(3))
""",
    good="""
import jax
import jax.numpy as jnp


@jax.jit
def step(x, key):
    return x + jax.random.normal(key)


def train():
    return step(jnp.zeros(3), jax.random.key(0))
""",
    labels=("read here",),
    lessons={"": "once_per_compile"},
)
