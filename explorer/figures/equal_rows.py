"""Which rows of a matrix are equal: bit for bit, or to within rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[Any]
Groups = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]

BLOCK_WORDS = 2**20


def bit_equal_rows(rows: Matrix) -> Groups:
    """Return int32[n]: rows of `rows` [n, k] with the same bytes carry the same number.

    Numbers count from 0 in order of first appearance. NaN equals NaN where the bits agree, and 0.0 differs
    from -0.0. Rows are sorted by a 64-bit hash, and every two that meet there are compared in full.
    """
    words = _words(rows)
    hashes = _hashes(words)
    order = np.argsort(hashes, kind="stable")
    met = hashes[order[1:]] == hashes[order[:-1]]
    if not _are_equal(words, order[1:][met], order[:-1][met]):
        return _by_dictionary(words)
    return _numbered(order, ~met)


def close_rows(rows: Matrix, tolerances: Matrix) -> Groups:
    """Return int32[n]: rows of `rows` [n, k] that agree in each column within `tolerances` [n, k] share a number.

    Closeness is passed on: where a is close to b and b to c, all three are one group. Column by column, each
    group is sorted and cut at every gap that is wider than the tolerance of both neighbours.
    """
    groups = np.zeros(len(rows), np.int32)
    for column, tolerance in zip(rows.T, tolerances.T, strict=True):
        order = np.lexsort((column, groups))
        values, allowed = column[order], tolerance[order]
        apart = ~(np.diff(values) <= np.maximum(allowed[1:], allowed[:-1]))
        groups = _numbered(order, apart | (np.diff(groups[order]) != 0))
        if groups.max(initial=0) + 1 == len(rows):
            break
    return groups


def _words(rows: Matrix) -> Words:
    """Return the bytes of each row as uint64 words, the last one padded with zeros."""
    octets = np.ascontiguousarray(rows).view(np.uint8)
    missing = -octets.shape[1] % 8
    if missing:
        octets = np.pad(octets, ((0, 0), (0, missing)))
    return octets.view(np.uint64)


def _hashes(words: Words) -> Words:
    """Return uint64[n]: each word is stirred, multiplied by its column's odd number and summed over the row."""
    odd = np.random.default_rng(0).integers(2**63, size=words.shape[1] + 1, dtype=np.uint64) | np.uint64(1)
    hashes = np.empty(len(words), np.uint64)
    for block in _blocks(len(words), words.shape[1]):
        stirred = words[block] * odd[0]
        stirred ^= stirred >> np.uint64(32)
        hashes[block] = stirred @ odd[1:]
    return hashes


def _are_equal(words: Words, left: npt.NDArray[np.intp], right: npt.NDArray[np.intp]) -> bool:
    blocks = _blocks(len(left), words.shape[1])
    return all(bool(np.array_equal(words[left[block]], words[right[block]])) for block in blocks)


def _blocks(count: int, width: int) -> list[slice]:
    step = max(1, BLOCK_WORDS // max(1, width))
    return [slice(start, start + step) for start in range(0, count, step)]


def _by_dictionary(words: Words) -> Groups:
    """Return what `bit_equal_rows` returns, ten times slower, whatever the hashes are."""
    numbers: dict[bytes, int] = {}
    return np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in words], np.int32)


def _numbered(order: npt.NDArray[np.intp], apart: npt.NDArray[np.bool_]) -> Groups:
    """Number the runs of `order` between the places that are `apart`, in order of first appearance."""
    if not len(order):
        return np.empty(0, np.int32)
    starts = np.flatnonzero(np.concatenate(([True], apart)))
    first = np.minimum.reduceat(order, starts)
    numbers = np.empty(len(starts), np.int32)
    numbers[np.argsort(first)] = np.arange(len(starts), dtype=np.int32)
    groups = np.empty(len(order), np.int32)
    groups[order] = np.repeat(numbers, np.diff(np.append(starts, len(order))))
    return groups
