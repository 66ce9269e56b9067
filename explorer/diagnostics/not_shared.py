"""Documentation of the check not-shared: a lesson that claims shared noise on purpose while nothing is shared."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="not-shared",
    part="keys",
    levels={"note": ""},
    name="nothing shared",
    summary="A lesson says that noise is shared on purpose, and it is not.",
    what=(
        'A lesson declares `shared = "on purpose"` for a variant, but in this run no examples share noise, and no '
        "key is used again."
    ),
    why_silent="Only the lesson's author knows what a variant is for.",
    fix='Remove `shared = "on purpose"` from the variant in scenario.toml, or share the key again.',
    bad="""
# scenario.toml: shared = "on purpose"
import jax


def noise():
    return jax.random.normal(jax.random.key(0), (3,))
""",
    good="""
# scenario.toml: shared = "on purpose"
import jax
import jax.numpy as jnp


def noise():
    key = jax.random.key(0)
    return jax.vmap(lambda x: x + jax.random.normal(key))(jnp.zeros(3))
""",
    lessons={"": "shared_on_purpose"},
)
