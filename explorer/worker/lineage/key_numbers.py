"""Numbers for key values: equal values share one number, in order of first appearance.

A draw depends only on the value and shape of its key: https://docs.jax.dev/en/latest/jep/263-prng.html.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from explorer.figures.equal_rows import Integers, Words, numbered, repeats
from explorer.worker.lineage.repeated_arrangements import OperationKeys, copies


def number(parts: Sequence[OperationKeys], first: int) -> Words:
    """Number the keys of all `parts` from `first` on.

    Return the distinct key data in that order, uint32[n, words].
    """
    known = copies(parts)
    stretches = [
        _Stretch(part, copy.first if copy else len(part.words)) for part, copy in zip(parts, known, strict=True)
    ]
    words, numbers = _numbered(stretches)
    numbers += np.int32(first)
    ends = np.cumsum([stretch.size for stretch in stretches])
    for stretch, own in zip(stretches, np.split(numbers, ends[:-1]), strict=True):
        stretch.part.numbers = stretch.spread(own)
    for part, copy in zip(parts, known, strict=True):
        if copy is not None:
            rest = copy.of(copy.source.numbers).reshape(-1, *part.words.shape[1:-1])
            part.numbers = np.concatenate([part.numbers, rest]) if copy.first else rest
    return words


def as_slice(numbers: npt.NDArray[Any]) -> npt.NDArray[Any] | slice:
    """Return consecutive `numbers`, int[n], as a slice, else unchanged: a slice is ten times faster."""
    if len(numbers) and numbers[-1] - numbers[0] == len(numbers) - 1 and np.all(numbers[1:] > numbers[:-1]):
        return slice(int(numbers[0]), int(numbers[-1]) + 1)
    return numbers


class _Stretch(msgspec.Struct, frozen=True):
    """The first iterations of a part; all of them unless the rest is a copy."""

    part: OperationKeys
    iterations: int

    @property
    def size(self) -> int:
        """Number of valid keys."""
        if self.part.chosen is not None:
            return int(np.count_nonzero(self.part.chosen[: self.iterations]))
        return self.iterations * math.prod(self.part.words.shape[1:-1])

    def words(self) -> Words:
        """Return the key data of the valid keys, uint32[n, words]."""
        words = self.part.words[: self.iterations]
        words = words.reshape(math.prod(words.shape[:-1]), words.shape[-1])
        # A mask as an index takes ten times as long.
        return words if self.part.chosen is None else words.compress(self.part.chosen.reshape(-1), axis=0)

    def moments(self) -> Integers:
        """Return the moments at which they appear, int64[n]."""
        moments = self.part.moments[: self.iterations]
        if self.part.chosen is not None:
            return np.repeat(moments, self.part.chosen.sum(axis=tuple(range(1, self.part.chosen.ndim))))
        return np.repeat(moments, math.prod(self.part.words.shape[1:-1]))

    def spread(self, numbers: Integers) -> Integers:
        """Spread the `numbers` of the valid keys to int32[iterations, lanes...], with -1 elsewhere."""
        shape = self.iterations, *self.part.words.shape[1:-1]
        if self.part.chosen is None:
            return numbers.reshape(shape)
        full = np.full(shape, -1, numbers.dtype)
        full[self.part.chosen] = numbers
        return full


def _numbered(stretches: list[_Stretch]) -> tuple[Words, Integers]:
    """Return the distinct key data in order of first appearance, and the number of each key in `stretches`, int32."""
    words = np.concatenate([stretch.words() for stretch in stretches])
    order = _order(stretches)
    if order is not None:
        words = words.take(order, axis=0)
    later, firsts = repeats(words)
    in_order, is_first = numbered(len(words), later, firsts)
    if len(later):
        words = words.compress(is_first, axis=0)
    if order is None:
        return words, in_order
    numbers = np.empty_like(in_order)
    numbers[order] = in_order
    return words, numbers


def _order(stretches: list[_Stretch]) -> Integers | None:
    """Return the permutation that sorts all keys by moment, or None if they are sorted."""
    parts = [stretch.part.moments[: stretch.iterations] for stretch in stretches if stretch.iterations]
    if all(one[-1] <= other[0] for one, other in pairwise(parts)):
        return None
    return np.argsort(np.concatenate([stretch.moments() for stretch in stretches]), kind="stable")
