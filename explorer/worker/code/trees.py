"""What the person's program returns and hands over may be anything, also what JAX cannot take apart."""

from __future__ import annotations

from typing import Any

import jax

from explorer.worker.internals.leaves import honest


def leaves(tree: Any) -> list[Any]:
    """Return the `honest` leaves of `tree`; none of what JAX cannot take apart.

    That is a dict whose keys cannot be sorted, what is too deep or holds itself, and a class that fails in it.
    """
    try:
        return [honest(leaf) for leaf in jax.tree.leaves(tree)]
    except Exception:
        return []


def waited_for(tree: Any) -> Any:
    """Return `tree` when all of its arrays are there. Raises what computing them raises."""
    jax.block_until_ready(leaves(tree))
    return tree
