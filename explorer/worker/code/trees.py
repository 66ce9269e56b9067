"""Outputs and inputs of user code as trees; they may be anything, also what JAX cannot flatten."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import jax
import numpy as np

_module_of = cast(Callable[[type], object], vars(type)["__module__"].__get__)
_classes = cast(Callable[[type], tuple[type, ...]], vars(type)["__mro__"].__get__)
"""As Python itself reads them: a class may answer as it likes."""
_KNOWN = ("jax", "jaxlib", "numpy", "ml_dtypes", "builtins")
_UNKNOWN = object()
"""Instead of what may lie about itself."""


def leaves(tree: Any) -> list[Any]:
    """Return the `honest` leaves of `tree`; none of what JAX cannot take apart.

    That is a dict whose keys cannot be sorted, what is too deep or holds itself, and a class that fails in it.
    """
    try:
        return [honest(leaf) for leaf in jax.tree.leaves(tree)]
    except Exception:
        return []


def honest(leaf: Any) -> Any:
    """Return `leaf`, as a plain array where its class derives from one, or something without any attributes.

    An object of the user's may say that it is an array, of any shape, and fail or never return when it is asked.
    """
    kind = type(leaf)
    if str(_module_of(kind)).partition(".")[0] in _KNOWN:
        return leaf
    return np.ndarray.view(leaf, np.ndarray) if np.ndarray in _classes(kind) else _UNKNOWN


class _Plain:
    """The leaves of a tree under their paths, in its place: its own classes are made for what the program holds."""

    def __init__(self, leaves: Mapping[str, Any]) -> None:
        self.leaves = leaves


jax.tree_util.register_pytree_with_keys(
    _Plain,
    lambda tree: ([(path, leaf) for path, leaf in tree.leaves.items()], tuple(tree.leaves)),
    lambda paths, leaves: _Plain(dict(zip(paths, leaves, strict=True))),
)


def plain(tree: Any) -> Any:
    """Return `tree`, or its `honest` leaves where not all of them are; None for what JAX cannot take apart."""
    try:
        given, _ = jax.tree_util.tree_flatten_with_path(tree)
        made = [(jax.tree_util.keystr(path), leaf, honest(leaf)) for path, leaf in given]
        if all(leaf is each for _, leaf, each in made):
            return tree
        return _Plain({path: each for path, _, each in made})
    except Exception:
        return None


def waited_for(tree: Any) -> Any:
    """Return `tree` when all of its arrays are there. Raises what computing them raises."""
    jax.block_until_ready(leaves(tree))
    return tree
