"""Pytrees of user code made safe to read, where objects of unknown classes are replaced; waits for their arrays.

Pytrees: https://docs.jax.dev/en/latest/pytrees.html.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import jax
import numpy as np

_module_of = cast(Callable[[type], object], vars(type)["__module__"].__get__)
_classes = cast(Callable[[type], tuple[type, ...]], vars(type)["__mro__"].__get__)
"""Read as Python does: a class may override these attributes."""
_KNOWN = ("jax", "jaxlib", "numpy", "ml_dtypes", "builtins")
_UNKNOWN = object()
"""Placeholder for objects that may misreport their type."""


def leaves(tree: Any) -> list[Any]:
    """Return the `honest` leaves of `tree`; an empty list if JAX cannot flatten it.

    JAX fails for a dict with unsortable keys, a tree that is too deep or contains itself, and a class that raises.
    """
    try:
        return [honest(leaf) for leaf in jax.tree.leaves(tree)]
    except Exception:
        return []


def honest(leaf: Any) -> Any:
    """Return `leaf`, as a plain array if its class derives from one, or else a placeholder without attributes.

    A user's object may claim to be an array of any shape, and raise or hang on access.
    """
    kind = type(leaf)
    if str(_module_of(kind)).partition(".")[0] in _KNOWN:
        return leaf
    return np.ndarray.view(leaf, np.ndarray) if np.ndarray in _classes(kind) else _UNKNOWN


class _Plain:
    """Replacement for a tree, with its leaves by path: its own classes may not accept other leaves."""

    def __init__(self, leaves: Mapping[str, Any]) -> None:
        self.leaves = leaves


jax.tree_util.register_pytree_with_keys(
    _Plain,
    lambda tree: ([(path, leaf) for path, leaf in tree.leaves.items()], tuple(tree.leaves)),
    lambda paths, leaves: _Plain(dict(zip(paths, leaves, strict=True))),
)


def plain(tree: Any) -> Any:
    """Return `tree`, or its leaves by path if some are not honest; None if JAX cannot flatten it."""
    try:
        given, _ = jax.tree_util.tree_flatten_with_path(tree)
        made = [(jax.tree_util.keystr(path), leaf, honest(leaf)) for path, leaf in given]
        if all(leaf is each for _, leaf, each in made):
            return tree
        return _Plain({path: each for path, _, each in made})
    except Exception:
        return None


def waited_for(tree: Any) -> Any:
    """Return `tree` after all its arrays are ready. Raises the exceptions of their computation."""
    jax.block_until_ready(leaves(tree))
    return tree
