"""Documentation of the check unneeded-mark: a comment that claims key reuse on purpose where there is none."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="unneeded-mark",
    part="keys",
    levels={"note": ""},
    name="unneeded mark",
    summary="A comment says that a line reuses a key on purpose, and it does not.",
    what="A line has the comment `# jax-explorer: on purpose`, but in this run nothing is shared or used again there.",
    why_silent="The comment is for JAX Explorer alone.",
    fix="Remove the comment: it would hide a bug that is added later.",
    bad="""
import jax


def noise():
    key = jax.random.key(0)
    return jax.random.normal(key, (3,))  # jax-explorer: on purpose
""",
    good="""
import jax


def noise():
    key = jax.random.key(0)
    return jax.random.normal(key, (3,))
""",
    lessons={"": "shared_on_purpose"},
)
