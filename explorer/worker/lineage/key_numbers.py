"""Numbers for key values (`number`): equal values share one, in order of first appearance; and `as_slice`.

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


class OperationKeys(msgspec.Struct):
    """Keys that one operation used, or made."""

    words: Words
    """uint32[iterations, lanes..., words]"""
    moments: Integers
    """int64[iterations]: the moment of each round, never decreasing."""
    chosen: npt.NDArray[np.bool_] | None
    """bool[iterations, lanes...]: mask of the valid keys; None for all."""
    numbers: Integers = msgspec.field(default_factory=lambda: np.zeros(0, np.int32))
    """int32[iterations, lanes...]: the key numbers, once known; -1 for invalid lanes."""

    def chosen_words(self) -> Words:
        """Return the key data of the valid keys, uint32[n, words]."""
        words = self.words.reshape(math.prod(self.words.shape[:-1]), self.words.shape[-1])
        # A mask as an index takes ten times as long.
        return words if self.chosen is None else words.compress(self.chosen.reshape(-1), axis=0)

    def chosen_moments(self) -> Integers:
        """Return the moments at which the valid keys appear, int64[n]."""
        if self.chosen is not None:
            return np.repeat(self.moments, self.chosen.sum(axis=tuple(range(1, self.chosen.ndim))))
        return np.repeat(self.moments, math.prod(self.words.shape[1:-1]))

    def set_numbers(self, numbers: Integers) -> None:
        """Set the `numbers` of the valid keys, int32[n]."""
        shape = self.words.shape[:-1]
        if self.chosen is None:
            self.numbers = numbers.reshape(shape)
            return
        self.numbers = np.full(shape, -1, numbers.dtype)
        self.numbers[self.chosen] = numbers


def number(parts: Sequence[OperationKeys], first: int) -> Words:
    """Number the keys of all `parts` from `first` on.

    Return the distinct key data in that order, uint32[n, words].
    """
    found = [part.chosen_words() for part in parts]
    words, numbers = _numbered(np.concatenate(found), _order(parts))
    ends = np.cumsum([len(each) for each in found])
    for part, own in zip(parts, np.split(numbers + np.int32(first), ends[:-1]), strict=True):
        part.set_numbers(own)
    return words


def as_slice(numbers: npt.NDArray[Any]) -> npt.NDArray[Any] | slice:
    """Return consecutive `numbers`, int[n], as a slice, else unchanged: a slice is ten times faster."""
    if len(numbers) and numbers[-1] - numbers[0] == len(numbers) - 1 and np.all(numbers[1:] > numbers[:-1]):
        return slice(int(numbers[0]), int(numbers[-1]) + 1)
    return numbers


def _numbered(words: Words, order: Integers | None) -> tuple[Words, Integers]:
    """Return the distinct key data of `words` in order of first appearance, and the number of each key, int32.

    `order` is the permutation that sorts them by moment, None if they are sorted.
    """
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


def _order(parts: Sequence[OperationKeys]) -> Integers | None:
    """Return the permutation that sorts all keys by moment, or None if they are sorted."""
    moments = [part.moments for part in parts if len(part.moments)]
    if all(one[-1] <= other[0] for one, other in pairwise(moments)):
        return None
    return np.argsort(np.concatenate([part.chosen_moments() for part in parts]), kind="stable")
