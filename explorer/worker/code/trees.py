"""What the person's program returns and hands over may be anything, also what JAX cannot take apart."""

from __future__ import annotations

from typing import Any

import jax


def leaves(tree: Any) -> list[Any]:
    """Return the leaves of `tree`; none of a dict whose keys cannot be sorted, which JAX does not take for a tree."""
    try:
        return jax.tree.leaves(tree)
    except (TypeError, ValueError):
        return []


def waited_for(tree: Any) -> Any:
    """Return `tree` when all of its arrays are there. Raises what computing them raises."""
    jax.block_until_ready(leaves(tree))
    return tree
