"""Which keys are equal, found by sorting hashes that are never trusted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.integer[Any]]
Words = npt.NDArray[np.uint32]
_Packed = npt.NDArray[np.uint64]

_ODD, _EVEN = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED02
"""Any numbers whose bits look random would do."""
_BLOCK = 1 << 14


def repeats(words: Words) -> tuple[Integers, Integers]:
    """Return (rows, firsts): the rows of uint32[n, words] that are equal to an earlier one, and the first such each.

    Most keys are different: sorting short hashes by themselves tells which rows may have an equal at all. What is
    left is sorted by long hashes with the place of the row below them. Such numbers sort in a third of the time that
    it takes to sort places by hash, and put rows of equal hash side by side, the first one in front. Rows that then
    differ from the first go round again with another hash.
    """
    packed = _packed(words)
    left = _suspects(packed)
    found = []
    turn = 0
    while len(left):
        rows, firsts = _same_hash(packed.take(left, axis=0) if len(left) < len(packed) else packed, turn)
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


def _suspects(packed: _Packed) -> Integers:
    """Return the rows that may be equal to others, in order."""
    hashes = np.empty(len(packed), np.uint32)
    for start, block in _short_hashes(packed):
        hashes[start : start + len(block)] = block
    hashes.sort()
    met = hashes[1:][hashes[1:] == hashes[:-1]]
    if len(met) > len(packed) // 16:
        return np.arange(len(packed))
    is_suspect = np.zeros(1 << 16, np.bool_)
    is_suspect[met & 0xFFFF] = True
    # To hash again takes less time than to ask the system for memory.
    return _joined(start + np.flatnonzero(is_suspect.take(block & 0xFFFF)) for start, block in _short_hashes(packed))


def _short_hashes(packed: _Packed) -> Iterator[tuple[int, Words]]:
    """Yield (first row, uint32[rows]) of blocks that stay in the cache."""
    for start in range(0, len(packed), _BLOCK):
        yield start, (_hashes(packed[start : start + _BLOCK], 0) >> np.uint64(32)).astype(np.uint32)


def _same_hash(packed: _Packed, turn: int) -> tuple[Integers, Integers]:
    """Return (rows, firsts): the rows that have the hash of an earlier one, and the first that has it."""
    place_bits = np.uint64((1 << (len(packed) - 1).bit_length()) - 1)
    numbers = _hashes(packed, turn)
    numbers &= ~place_bits
    numbers |= np.arange(len(packed), dtype=np.uint64)
    numbers.sort()
    later = np.flatnonzero((numbers[1:] ^ numbers[:-1]) <= place_bits) + 1
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
