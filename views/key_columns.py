"""Many keys on few pixels: each pixel column tells the worst of what it stands for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from explorer.messages import KEY_STATES, KeyState

COLUMN = 3.0
"""Pixels of a column; keys narrower than that are drawn together."""

GRAVITY: tuple[KeyState, ...] = ("unused", "fresh", "split", "drawn", "orphan", "shared", "reused")
"""From the least to the worst: a reused key must not vanish among a million good ones."""
RANK = np.zeros(len(KEY_STATES), np.int8)
RANK[[KEY_STATES.index(state) for state in GRAVITY]] = np.arange(1, len(GRAVITY) + 1)

Floats = npt.NDArray[np.float64]
Ranks = npt.NDArray[np.int8]


def columns(left: Floats, right: Floats, rank: Ranks, width: float) -> list[tuple[float, float, int]]:
    """Return (begin, end, worst rank) in pixels for stretches of equal columns between 0 and `width`.

    `left` and `right` are the pixels of k keys from left to right, `rank` says what each counts for; keys
    of rank 0 leave their columns empty.
    """
    if not left.size:
        return []
    edge = np.arange(0.0, width + COLUMN, COLUMN)
    start = np.searchsorted(left, edge)
    start[0] = 0
    worst = _worst_begun(rank, start)
    # A column in which no key begins is covered by the one that began before it, if that reaches so far.
    before = np.maximum(start[:-1] - 1, 0)
    covered = (worst == 0) & (start[:-1] > 0) & (right[before] > edge[:-1])
    worst[covered] = rank[before[covered]]
    turns = np.concatenate([[0], np.flatnonzero(np.diff(worst)) + 1, [worst.size]])
    stretches = zip(turns[:-1].tolist(), turns[1:].tolist(), worst[turns[:-1]].tolist(), strict=True)
    return [(begin * COLUMN, min(end * COLUMN, width), found) for begin, end, found in stretches if found]


def _worst_begun(rank: Ranks, start: npt.NDArray[np.int64]) -> Ranks:
    """Return int8[columns]: the greatest rank of the keys that begin in each column."""
    filled = np.flatnonzero(np.diff(start))
    worst = np.zeros(start.size - 1, np.int8)
    if filled.size:
        worst[filled] = np.maximum.reduceat(rank[: start[-1]], start[filled])
    return worst
