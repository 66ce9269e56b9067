"""Which keys are equal, found by sorting hashes that are never trusted."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.integer[Any]]
Words = npt.NDArray[np.uint32]
_Packed = npt.NDArray[np.uint64]

_ODD, _EVEN = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED02
"""Any numbers whose bits look random would do."""


def repeats(words: Words) -> tuple[Integers, Integers]:
    """Return (rows, firsts): the rows of uint32[n, words] that are equal to an earlier one, and the first such each.

    The place of a row below the upper bits of its hash is one number. Such numbers sort in a third of the time that
    it takes to sort places by hash, and put rows of equal hash side by side, the first one in front. Integers that
    then differ from the first go round again with another hash.
    """
    packed = _packed(words)
    left = np.arange(len(packed))
    found = []
    turn = 0
    while len(left):
        rows, firsts = _same_hash(packed if not turn else packed.take(left, axis=0), turn)
        rows, firsts = left[rows], left[firsts]
        equal = np.all(packed.take(rows, axis=0) == packed.take(firsts, axis=0), axis=1)
        found.append((rows[equal], firsts[equal]))
        left = np.sort(rows[~equal])
        turn += 1
    return _joined(rows for rows, _ in found), _joined(firsts for _, firsts in found)


def _joined(parts: Any) -> Integers:
    return np.concatenate([np.zeros(0, np.int64), *parts])


def _packed(words: Words) -> _Packed:
    """Return the words in pairs: uint64[n, pairs]."""
    if words.shape[1] % 2:
        words = np.pad(words, ((0, 0), (1, 0)))
    return np.ascontiguousarray(words).view(np.uint64)


def _same_hash(packed: _Packed, turn: int) -> tuple[Integers, Integers]:
    """Return (rows, firsts): the rows that have the hash of an earlier one, and the first that has it."""
    place_bits = np.uint64((1 << (len(packed) - 1).bit_length()) - 1)
    numbers = _hashes(packed, turn)
    numbers &= ~place_bits
    scratch = np.arange(len(packed), dtype=np.uint64)
    numbers |= scratch
    numbers.sort()
    unlike = np.bitwise_xor(numbers[1:], numbers[:-1], out=scratch[1:])
    later = np.flatnonzero(unlike <= place_bits) + 1
    runs = np.flatnonzero(np.diff(later, prepend=-1) > 1)
    firsts = np.repeat(later[runs] - 1, np.diff(np.append(runs, len(later))))
    return (numbers[later] & place_bits).view(np.int64), (numbers[firsts] & place_bits).view(np.int64)


def _hashes(packed: _Packed, turn: int) -> _Packed:
    """Return uint64[n], whose upper bits depend on all bits of a row, differently in each `turn`."""
    odd = np.uint64((_ODD + turn * _EVEN) % 2**64)
    hashes = packed[:, 0] * odd
    for column in packed.T[1:]:
        hashes ^= hashes >> np.uint64(32)
        hashes += column
        hashes *= odd
    return hashes
