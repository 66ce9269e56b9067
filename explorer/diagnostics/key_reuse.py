"""Documentation of the check key-reuse (https://docs.jax.dev/en/latest/random-numbers.html)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="key-reuse",
    part="keys",
    levels={
        "bug": "",
        "warning": (
            "a test uses a key from its own seed, parts of a script start from one seed, one line uses a key named as "
            "fixed, such as `eval_key`, a comment says “same key”, only pictures use it, or only a split without a draw"
        ),
        "note": "a library alone does it, no output depends on the numbers, or a comment says that it is on purpose",
    },
    name="key reuse",
    summary="A random key is spent more than once.",
    what=(
        "One key is used by two draws, by a draw and a split, or by one line that runs again. Draws from one key "
        "are related: with the same arguments they are the same numbers. Children of one key are the same keys. "
        "Keys are compared by value, so two keys made from one seed are one key."
    ),
    why_silent=(
        "A key is an ordinary array: drawing does not change it, and JAX does not count. `jax_debug_key_reuse` "
        "counts, but only typed keys, within one function, and not what two lines make from one seed."
    ),
    fix="Split the key, one child for each use; in a loop `jax.random.fold_in(key, i)`, or carry the key along.",
    has_mark=True,
    bad="""
import jax


def weights():
    key = jax.random.key(0)
    return jax.random.normal(key, (3,)), jax.random.uniform(key, (3,))
""",
    good="""
import jax


def weights():
    first, second = jax.random.split(jax.random.key(0))
    return jax.random.normal(first, (3,)), jax.random.uniform(second, (3,))
""",
    labels=("used here", "used again here", "and here", "and here"),
    one_place="used here each time",
    lessons={
        "": "seed_and_key",
        "drawn and split": "parent_and_child",
        "several samplers": "same_key_other_distribution",
        "one place": "loop_scan_vmap",
        "handed on": "key_reuse_in_init",
        "made by fold_in": "fold_in_or_split",
        "made from seeds": "seed_that_came_back",
        "split again": "kept_and_spent",
    },
)
