"""Numbers for key values: equal values get one number, in the order of their first appearance."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.integer[Any]]
Words = npt.NDArray[np.uint32]

_FEW = 1000


class Numbering:
    """Collects the words of keys of one implementation, and numbers them all at once.

    A part that is equal to an earlier one as a whole is not looked at again: splitting and then mapping over all
    children is common, and comparing is much cheaper than sorting.
    """

    def __init__(self) -> None:
        self._words: list[Words] = []
        self._moments: list[Integers] = []
        self._repeats: list[int | Integers] = []
        self._length = 0
        self._latest: dict[int, tuple[Words, int]] = {}

    def add(self, words: Words, moments: Integers, repeats: int | Integers) -> slice:
        """Return where the numbers of uint32[n, words] will stand.

        `moments` int64[rounds], which never fall, tell when they appear; `repeats` how many of them in each round.
        """
        known = self._latest.get(len(words))
        if known is not None and len(words) > _FEW and np.array_equal(known[0], words):
            return slice(known[1], known[1] + len(words))
        start = self._length
        self._words.append(words)
        self._moments.append(moments)
        self._repeats.append(repeats)
        self._length += len(words)
        self._latest[len(words)] = words, start
        return slice(start, self._length)

    def numbered(self) -> tuple[Words, Integers]:
        """Return the different words, in order of first appearance, and the number of each that was added."""
        words = np.concatenate(self._words)
        order = self._order()
        if order is None:
            return _numbered(words)
        words, in_order = _numbered(words[order])
        numbers = np.empty_like(in_order)
        numbers[order] = in_order
        return words, numbers

    def _order(self) -> Integers | None:
        """Return what puts all that was added in the order of the run, None if it stands so."""
        parts = [moments for moments in self._moments if len(moments)]
        if all(one[-1] <= other[0] for one, other in pairwise(parts)):
            return None
        moments = [np.repeat(*each) for each in zip(self._moments, self._repeats, strict=True)]
        return np.argsort(np.concatenate(moments), kind="stable")


def _numbered(words: Words) -> tuple[Words, Integers]:
    if len(words) == 0:
        return words, np.zeros(0, np.int32)
    ranks, starts = _ranked(words)
    if len(starts) == len(words):
        return words, np.arange(len(words), dtype=np.int32)
    firsts = np.minimum.reduceat(ranks, starts)
    is_first = np.zeros(len(words), np.bool_)
    is_first[firsts] = True
    number_at = np.cumsum(is_first, dtype=np.int32) - 1
    numbers = np.empty(len(words), np.int32)
    numbers[ranks] = np.repeat(number_at[firsts], np.diff(np.append(starts, len(words))))
    return words[is_first], numbers


def _ranked(words: Words) -> tuple[Integers, Integers]:
    """Return an order that puts equal rows side by side, and where in it each new value starts."""
    if words.shape[1] == 2:
        # One machine word sorts ten times faster than two columns.
        packed = np.ascontiguousarray(words).view(np.uint64)[:, 0]
        order = np.argsort(packed)
        ranked = packed[order]
        changes = ranked[1:] != ranked[:-1]
    else:
        order = np.lexsort(words.T)
        changes = np.any(words[order[1:]] != words[order[:-1]], axis=1)
    return order, np.flatnonzero(np.append(True, changes))
