"""Documentation of the check rbg-batched (https://github.com/jax-ml/jax/issues/19085)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="rbg-batched",
    part="keys",
    levels={"note": ""},
    name="batched rbg keys",
    summary="A generator that does not handle the examples of a batch separately.",
    what=(
        "A draw under `vmap` uses keys of kind `rbg` or `unsafe_rbg`. JAX then draws for the whole batch at once, "
        "from the first key. The examples differ, but none gets the numbers that its own key gives alone."
    ),
    why_silent="It is documented behaviour of these generators, the price of their speed on TPUs.",
    fix="Use the default generator, `threefry2x32`, where an example must be the same alone and in a batch.",
    bad="""
import jax


def batch():
    keys = jax.random.split(jax.random.key(0, impl="rbg"), 4)
    return jax.vmap(lambda key: jax.random.normal(key, (3,)))(keys)
""",
    good="""
import jax


def batch():
    keys = jax.random.split(jax.random.key(0), 4)
    return jax.vmap(lambda key: jax.random.normal(key, (3,)))(keys)
""",
    labels=("drawn here",),
    lessons={"": "another_generator"},
)
