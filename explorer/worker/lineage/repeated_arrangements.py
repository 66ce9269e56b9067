"""Detection of keys that were used in the order in which they were made: comparing is much cheaper than sorting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from explorer.figures.equal_rows import Integers, Words

_MANY = 100
"""Smallest number of keys for which the comparison pays."""
_LATEST = 16
"""Number of latest parts to compare with."""


class OperationKeys(msgspec.Struct):
    """Keys that one operation used, or made."""

    words: Words
    """uint32[iterations, lanes..., words]"""
    moments: Integers
    """int64[iterations]: the moment of each round, never decreasing."""
    chosen: npt.NDArray[np.bool_] | None
    """bool[iterations, lanes...]: mask of the valid keys; None for all."""
    made: bool
    """Whether the operation made the keys: the last lane axis then holds the children of one key."""
    numbers: Integers = msgspec.field(default_factory=lambda: np.zeros(0, np.int32))
    """int32[iterations, lanes...]: the key numbers, once known; -1 for invalid lanes."""

    @property
    def size(self) -> int:
        """Number of keys, valid or not."""
        return math.prod(self.words.shape[:-1])


class RepeatedPart(msgspec.Struct, frozen=True):
    """Link that states: a part, from round `first` on, has keys that an earlier part has."""

    source: OperationKeys
    first: int
    """0, or 1 where each round continues with keys made by the round before."""
    window: tuple[int, int, int]
    """(iterations, families, children per family) of the source"""
    children: slice
    """The children of each family that were copied."""

    def of(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the section of a source array [iterations, lanes..., ...] that corresponds to the copy."""
        iterations = self.window[0]
        rest = array.shape[self.source.words.ndim - 1 :]
        return array[:iterations].reshape(*self.window, *rest)[:, :, self.children]


def copies(parts: Sequence[OperationKeys]) -> list[RepeatedPart | None]:
    """Return the copy link of each part, or None; a source is never a copy itself."""
    found: dict[int, RepeatedPart] = {}
    sources: list[OperationKeys] = []
    for place in sorted(range(len(parts)), key=lambda place: (-parts[place].size, not parts[place].made)):
        part = parts[place]
        if part.size < _MANY or part.chosen is not None:
            continue
        candidates = (_copy(part, source, first) for source in reversed(sources[-_LATEST:]) for first in (0, 1))
        copy = next((each for each in candidates if each is not None), None)
        if copy is None:
            sources.append(part)
        else:
            found[place] = copy
    return [found.get(place) for place in range(len(parts))]


def _copy(part: OperationKeys, source: OperationKeys, first: int) -> RepeatedPart | None:
    """Return the link of `part` to `source` from round `first` on, or None if it is no copy."""
    iterations = len(source.words) - first
    if iterations < 1 or (first and len(part.words) != len(source.words)):
        return None
    lanes = source.words.shape[1:-1]
    children = lanes[-1] if lanes else 1
    families = math.prod(lanes[:-1])
    words = part.words[first:]
    each, rest = divmod(math.prod(words.shape[:-1]), iterations * families)
    if rest or not 0 < each <= children or not _is_later(part.moments[first:], source.moments[:iterations]):
        return None
    words = words.reshape(iterations, families, each, words.shape[-1])
    eldest = source.words[0].reshape(families, children, -1)[0, : children - each + 1]
    starts = np.flatnonzero((eldest == words[0, 0, 0]).all(-1))
    if not len(starts):
        return None
    copy = RepeatedPart(source, first, (iterations, families, children), slice(starts[0], starts[0] + each))
    same = copy.of(source.words)
    # Most candidates differ in the last round already.
    return copy if np.array_equal(words[-1], same[-1]) and np.array_equal(words, same) else None


def _is_later(moments: Integers, others: Integers) -> bool:
    """Return whether each round comes after the source round that it would copy."""
    if len(moments) == len(others):
        return bool((moments > others).all())
    return bool(moments[0] > others[-1])
