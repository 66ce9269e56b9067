"""The form of a run's outputs: the tree, shapes, types, and the axes along which all are equal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from explorer.messages import TOP_LEVEL

MOST_VALUES = 1_000_000
"""Larger arrays are not looked through for equal slices."""
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


@dataclass(frozen=True)
class Leaf:
    """One output."""

    type: str
    """The dtype of an array, else the class."""
    shape: tuple[int, ...] = ()
    alike: frozenset[int] = frozenset()
    """The axes longer than 1 along which all slices are equal."""

    @property
    def is_one_value(self) -> bool:
        """Whether all is one and the same."""
        return len(self.alike) == sum(length > 1 for length in self.shape)


@dataclass(frozen=True)
class Outputs:
    """All outputs of one run."""

    tree: str
    leaves: Mapping[str, Leaf]
    """By path."""

    def has_form_of(self, other: Outputs, *, and_types: bool = True) -> bool:
        """Return whether the tree is that of `other`, with the same shapes `and_types`, and no more is alike."""
        return self.tree == other.tree and all(
            _is_as_before(self.leaves.get(path), leaf, and_types) for path, leaf in other.leaves.items()
        )

    def has_axes_of(self, other: Outputs) -> bool:
        """Return whether the tree is that of `other`, and each array has as many axes and its type."""
        return self.tree == other.tree and all(
            path in self.leaves
            and (self.leaves[path].type, len(self.leaves[path].shape)) == (leaf.type, len(leaf.shape))
            for path, leaf in other.leaves.items()
        )

    @property
    def has_alike(self) -> bool:
        """Whether along some axis of a floating-point output, but not along all of them, all is one and the same."""
        floats = (leaf for leaf in self.leaves.values() if "float" in leaf.type)
        return any(leaf.alike and not leaf.is_one_value for leaf in floats)


def output_form(outputs: Any, variant: str) -> Outputs:
    """Return the form of `outputs`; those of a top level are the arrays that have names, whatever else has one."""
    try:
        paths, tree = jax.tree_util.tree_flatten_with_path(outputs)
    except (TypeError, ValueError):  # a dict whose keys cannot be sorted
        return Outputs(type(outputs).__name__, {})
    leaves = {jax.tree_util.keystr(path): _leaf(value) for path, value in paths}
    # A class of the user's is another one each time that the code is loaded, of the same name.
    return Outputs("" if variant == TOP_LEVEL else _ADDRESS.sub("", str(tree)), leaves)


def _is_as_before(now: Leaf | None, before: Leaf, and_types: bool) -> bool:
    return (
        now is not None
        and now.shape == before.shape
        and (now.type == before.type or not and_types)
        and now.alike <= before.alike
    )


def _leaf(value: Any) -> Leaf:
    if not isinstance(value, jax.Array | np.ndarray | np.generic):
        return Leaf(type(value).__name__)
    return Leaf(str(value.dtype), value.shape, _alike(value))


def _alike(value: Any) -> frozenset[int]:
    is_numbers = jax.numpy.issubdtype(value.dtype, np.number) and not getattr(value, "is_deleted", bool)()
    if not is_numbers or not 0 < value.size <= MOST_VALUES:
        return frozenset()
    array = np.asarray(value)
    return frozenset(
        axis
        for axis, length in enumerate(array.shape)
        if length > 1 and np.array_equal(array, np.broadcast_to(array.take([0], axis), array.shape))
    )
