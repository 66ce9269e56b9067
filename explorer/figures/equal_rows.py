"""Groups of equal rows in a matrix: bit for bit, by sorting hashes that are then verified, or within rounding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[Any]
Integers = npt.NDArray[np.integer[Any]]
Groups = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint32]
_Packed = npt.NDArray[np.uint64]

_ODD, _EVEN = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED02
"""Arbitrary odd constants with random-looking bits."""
_BLOCK = 1 << 15
"""Words hashed at a time, few enough for the CPU cache."""
_WIDE = 4
"""Row length in words from which hashing costs more than sorting."""


def bit_equal_rows(rows: Matrix) -> Groups:
    """Return int32[n]: rows of `rows` [n, k] with the same bytes have the same number.

    Numbers count from 0 in order of first appearance. NaN equals NaN with the same bits, and 0.0 differs from -0.0.
    """
    return numbered(len(rows), *repeats(rows))[0]


def numbered(count: int, later: Integers, firsts: Integers) -> tuple[Groups, npt.NDArray[np.bool_]]:
    """Return the numbers of `count` rows, int32[count], and the mask of first occurrences, bool[count].

    `later` and `firsts` come from `repeats`. Equal rows have the same number, from 0 in order of first appearance.
    """
    is_first = np.ones(count, np.bool_)
    if not len(later):
        return np.arange(count, dtype=np.int32), is_first
    is_first[later] = False
    numbers = np.cumsum(is_first, dtype=np.int32) - np.int32(1)
    numbers[later] = numbers[firsts]
    return numbers, is_first


def repeats(rows: Matrix) -> tuple[Integers, Integers]:
    """Return (later, firsts), int64[m] each: rows with the bytes of an earlier row, and the first such row.

    Most rows are distinct, so short hashes are sorted first to exclude rows without a partner. The rest is sorted by
    long hashes with the row index in the low bits: one sort of numbers, in a third of the time of an argsort, that puts
    rows of equal hash side by side, first row first. Rows that differ from the first one repeat with another hash.
    """
    packed = _packed(rows)
    left = np.arange(len(packed)) if packed.shape[1] >= _WIDE else _suspects(packed)
    found = []
    turn = 0
    while len(left):
        later, firsts = _same_hash(packed.take(left, axis=0) if len(left) < len(packed) else packed, turn)
        later, firsts = left[later], left[firsts]
        equal = _are_equal(packed, later, firsts)
        found.append((later[equal], firsts[equal]))
        left = np.sort(later[~equal])
        turn += 1
    return _joined([later for later, _ in found]), _joined([firsts for _, firsts in found])


def close_rows(rows: Matrix, tolerances: Matrix) -> Groups:
    """Return int32[n]: rows of `rows` [n, k] that agree within `tolerances` [n, k] in each column share a number.

    Closeness is transitive: if a is close to b and b to c, all three form one group. Column by column, each group is
    sorted and cut at every gap wider than the tolerances of both neighbours.
    """
    groups = np.zeros(len(rows), np.int64)
    for column, tolerance in zip(rows.T, tolerances.T, strict=True):
        order = np.lexsort((column, groups))
        values, allowed = column[order], tolerance[order]
        differs = ~(np.diff(values) <= np.maximum(allowed[1:], allowed[:-1])) | (np.diff(groups[order]) != 0)
        groups[order[1:]] = np.cumsum(differs)
        groups[order[:1]] = 0
        if groups.max(initial=0) + 1 == len(rows):
            break
    return bit_equal_rows(groups[:, np.newaxis])


def _joined(parts: Sequence[Integers]) -> Integers:
    return np.concatenate([np.zeros(0, np.int64), *parts])


def _packed(rows: Matrix) -> _Packed:
    """Return the bytes of each row as uint64[n, words], with at least one word, padded with zeros."""
    octets = np.ascontiguousarray(rows).view(np.uint8)
    missing = -octets.shape[1] % 8 if octets.shape[1] else 8
    if missing:
        octets = np.pad(octets, ((0, 0), (0, missing)))
    return octets.view(np.uint64)


def _suspects(packed: _Packed) -> Integers:
    """Return the rows that may equal others, int64[m], in order."""
    hashes = np.empty(len(packed), np.uint32)
    for start, block in _blocks_of_hashes(packed, 0):
        hashes[start : start + len(block)] = block >> np.uint64(32)
    hashes.sort()
    met = hashes[1:][hashes[1:] == hashes[:-1]]
    if len(met) > len(packed) // 16:
        return np.arange(len(packed))
    is_suspect = np.zeros(1 << 16, np.bool_)
    is_suspect[met & 0xFFFF] = True
    # Hashing again takes less time than allocating memory.
    last = np.uint64(0xFFFF)
    blocks = _blocks_of_hashes(packed, 0)
    return _joined([start + np.flatnonzero(is_suspect.take(block >> np.uint64(32) & last)) for start, block in blocks])


def _same_hash(packed: _Packed, turn: int) -> tuple[Integers, Integers]:
    """Return (later, firsts): rows with the hash of an earlier row, and the first row with it."""
    place_bits = np.uint64((1 << (len(packed) - 1).bit_length()) - 1)
    numbers = np.arange(len(packed), dtype=np.uint64)
    for start, block in _blocks_of_hashes(packed, turn):
        numbers[start : start + len(block)] |= block & ~place_bits
    numbers.sort()
    later = np.flatnonzero((numbers[1:] ^ numbers[:-1]) <= place_bits) + 1
    runs = np.flatnonzero(np.diff(later, prepend=-1) > 1)
    firsts = np.repeat(later[runs] - 1, np.diff(np.append(runs, len(later))))
    return (numbers[later] & place_bits).view(np.int64), (numbers[firsts] & place_bits).view(np.int64)


def _are_equal(packed: _Packed, left: Integers, right: Integers) -> npt.NDArray[np.bool_]:
    """Return bool[n]: whether the rows `left` and `right` have the same bits."""
    step = _rows_at_once(packed)
    equal = np.empty(len(left), np.bool_)
    for start in range(0, len(left), step):
        part = slice(start, start + step)
        equal[part] = np.all(packed.take(left[part], axis=0) == packed.take(right[part], axis=0), axis=1)
    return equal


def _blocks_of_hashes(packed: _Packed, turn: int) -> Iterator[tuple[int, _Packed]]:
    """Yield (first row, hashes uint64[rows]) block by block."""
    step = _rows_at_once(packed)
    for start in range(0, len(packed), step):
        yield start, _hashes(packed[start : start + step], turn)


def _rows_at_once(packed: _Packed) -> int:
    return max(1, _BLOCK // int(packed.shape[1]))


def _hashes(packed: _Packed, turn: int) -> _Packed:
    """Return uint64[n], whose upper bits depend on all bits of a row and on `turn`."""
    odd = np.uint64((_ODD + turn * _EVEN) % 2**64)
    while (width := packed.shape[1]) > 1:
        half = (width + 1) // 2
        folded = packed[:, :half] * odd
        folded ^= folded >> np.uint64(32)
        folded[:, : width - half] += packed[:, half:]
        packed = folded
    return packed[:, 0] * odd
