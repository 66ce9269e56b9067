"""Documentation of the check unused-key: unused keys of a split."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="unused-key",
    part="keys",
    levels={"note": ""},
    name="unused key",
    summary="A split made keys that nothing uses.",
    what=(
        "A key that `split` made was neither drawn from, nor split, nor returned. Alone that costs nothing. Where "
        "another key of the same split is used twice, one of them was most likely meant for it: a name was "
        "mistyped."
    ),
    why_silent="An array that nothing reads is no error in any program.",
    fix="Split into as many keys as you use, or use the one that was meant.",
    allow="Name it `_`, or leave it: it is a note and fails nothing.",
    bad="""
import jax


def layer():
    first, second, third = jax.random.split(jax.random.key(0), 3)
    return jax.random.normal(first, (3,)), jax.random.normal(second, (3,))
""",
    good="""
import jax


def layer():
    first, second = jax.random.split(jax.random.key(0))
    return jax.random.normal(first, (3,)), jax.random.normal(second, (3,))
""",
    labels=("made here",),
    lessons={"": "split_tree"},
)
