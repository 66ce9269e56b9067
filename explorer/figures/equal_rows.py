"""Groups of equal rows in a matrix, numbered: bit for bit, by hashes that are verified, or within rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[Any]
Integers = npt.NDArray[np.integer[Any]]
Groups = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint32]
_Packed = npt.NDArray[np.uint64]

_ODD = np.uint64(0x9E3779B97F4A7C15)
"""An arbitrary odd constant with random-looking bits."""


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

    Sorted by hash, equal rows are side by side. In the rare case that different rows begin with the same bits of a
    hash, all such rows are sorted themselves.
    """
    packed = _packed(rows)
    later, firsts = _alike(_hashes(packed))
    if not np.array_equal(packed[later], packed[firsts]):
        alike = np.union1d(later, firsts)
        left = packed[alike]
        whole = left[:, 0] if left.shape[1] == 1 else left.view(np.dtype((np.void, left[0].nbytes)))[:, 0]
        later, firsts = (alike[each] for each in _repeated(whole))
    return later, firsts


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


def _alike(hashes: _Packed) -> tuple[Integers, Integers]:
    """Return the same as `repeats` for rows whose `hashes`, [n], begin with the same bits.

    The row is put in the last bits of its hash: to sort numbers takes a fifth of the time of an argsort.
    """
    places = np.uint64((1 << (len(hashes) - 1).bit_length()) - 1)
    ranked = np.sort(hashes & ~places | np.arange(len(hashes), dtype=np.uint64))
    later = np.flatnonzero((ranked[1:] ^ ranked[:-1]) <= places) + 1
    heads = np.flatnonzero(np.diff(later, prepend=-1) > 1)
    firsts = np.repeat(later[heads] - 1, np.diff(np.append(heads, len(later))))
    return (ranked[later] & places).view(np.int64), (ranked[firsts] & places).view(np.int64)


def _repeated(values: npt.NDArray[Any]) -> tuple[Integers, Integers]:
    """Return the same as `repeats` for `values`, [n]."""
    order = np.argsort(values)
    in_order = values[order]
    starts = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1])[: len(order)])
    firsts = np.repeat(np.minimum.reduceat(order, starts), np.diff(np.append(starts, len(order))))
    again = firsts != order
    return order[again], firsts[again]


def _packed(rows: Matrix) -> _Packed:
    """Return the bytes of each row as uint64[n, words], with at least one word, padded with zeros."""
    octets = np.ascontiguousarray(rows).view(np.uint8)
    missing = -octets.shape[1] % 8 if octets.shape[1] else 8
    if missing:
        octets = np.pad(octets, ((0, 0), (0, missing)))
    return octets.view(np.uint64)


def _hashes(packed: _Packed) -> npt.NDArray[np.uint64]:
    """Return uint64[n], which depends on all bits of a row."""
    while (width := packed.shape[1]) > 1:
        half = (width + 1) // 2
        folded = packed[:, :half] * _ODD
        folded ^= folded >> np.uint64(32)
        folded[:, : width - half] += packed[:, half:]
        packed = folded
    return packed[:, 0] * _ODD
