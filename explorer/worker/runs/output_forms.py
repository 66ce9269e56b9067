"""The form of a run's outputs: pytree, shapes, dtypes, equal slices; compared to see whether a fix keeps it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import jax
import msgspec
import numpy as np

from explorer.messages import TOP_LEVEL

MOST_VALUES = 1_000_000
"""Largest array to search for equal slices, in elements."""
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class OutputForm(msgspec.Struct, frozen=True):
    """One output."""

    type: str
    """The dtype of an array, else the class name."""
    shape: tuple[int, ...] = ()
    alike: frozenset[int] = frozenset()
    """The axes longer than 1 along which all slices are equal."""

    @property
    def is_one_value(self) -> bool:
        """Whether all elements are equal."""
        return len(self.alike) == sum(length > 1 for length in self.shape)


class Outputs(msgspec.Struct, frozen=True):
    """All outputs of one run."""

    tree: str
    leaves: Mapping[str, OutputForm]
    """By path."""

    def has_form_of(self, other: Outputs, *, and_types: bool = True, and_lengths: bool = True) -> bool:
        """Return whether the tree and axes, `and_types`, equal those of `other`, with no additional equal slices."""
        return self.tree == other.tree and all(
            _is_as_before(self.leaves.get(path), leaf, and_types, and_lengths) for path, leaf in other.leaves.items()
        )

    def has_axes_of(self, other: Outputs) -> bool:
        """Return whether the tree, the numbers of axes and the dtypes equal those of `other`."""
        return self.tree == other.tree and all(
            path in self.leaves
            and (self.leaves[path].type, len(self.leaves[path].shape)) == (leaf.type, len(leaf.shape))
            for path, leaf in other.leaves.items()
        )

    @property
    def has_alike(self) -> bool:
        """Whether all slices of a floating-point output are equal along some axis, but not along all axes."""
        floats = (leaf for leaf in self.leaves.values() if "float" in leaf.type)
        return any(leaf.alike and not leaf.is_one_value for leaf in floats)


def output_form(outputs: Any, variant: str) -> Outputs:
    """Return the form of `outputs`; for a top level, these are its named arrays, regardless of other names."""
    try:
        paths, tree = jax.tree_util.tree_flatten_with_path(outputs)
    except (TypeError, ValueError):  # a dict with unsortable keys
        return Outputs(type(outputs).__name__, {})
    leaves = {jax.tree_util.keystr(path): _leaf(value) for path, value in paths}
    # A user class is a new object of the same name each time the code is loaded.
    return Outputs("" if variant == TOP_LEVEL else _ADDRESS.sub("", str(tree)), leaves)


def _is_as_before(now: OutputForm | None, before: OutputForm, and_types: bool, and_lengths: bool) -> bool:
    return (
        now is not None
        and (now.shape == before.shape if and_lengths else len(now.shape) == len(before.shape))
        and (now.type == before.type or not and_types)
        and now.alike <= before.alike
    )


def _leaf(value: Any) -> OutputForm:
    if not isinstance(value, jax.Array | np.ndarray | np.generic):
        return OutputForm(type(value).__name__)
    return OutputForm(str(value.dtype), value.shape, _alike(value))


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
