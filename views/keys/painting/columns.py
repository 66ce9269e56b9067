"""Many keys on few pixels: each pixel column shows the worst of its keys."""

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

    `left` and `right` are the pixels of k keys from left to right, `rank` is the priority of each; columns of rank 0
    stay empty.
    """
    worst = worst_by_column(left, right, rank, width, COLUMN)
    turns = np.concatenate([[0], np.flatnonzero(np.diff(worst)) + 1, [worst.size]])
    stretches = zip(turns[:-1].tolist(), turns[1:].tolist(), worst[turns[:-1]].tolist(), strict=True)
    return [(begin * COLUMN, min(end * COLUMN, width), found) for begin, end, found in stretches if found]


def worst_by_column(left: Floats, right: Floats, rank: Ranks, width: float, column: float) -> Ranks:
    """Return int8[columns]: the greatest rank in each column of `column` pixels between 0 and `width`."""
    edge = np.arange(0.0, width + column, column)
    start = np.searchsorted(left, edge)
    start[0] = 0
    filled = np.flatnonzero(np.diff(start))
    worst = np.zeros(start.size - 1, np.int8)
    if filled.size:
        worst[filled] = np.maximum.reduceat(rank[: start[-1]], start[filled])
    # A column in which no key begins is covered by the one that began before it, if that reaches so far.
    covered = np.flatnonzero((worst == 0) & (start[:-1] > 0))
    before = start[covered] - 1
    worst[covered] = np.where(right[before] > edge[covered], rank[before], 0)
    return worst
