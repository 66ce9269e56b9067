"""``KeyLayout``: the positions of keys, a KeyGraph laid out as a forest over slots, level by level, in NumPy."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from explorer.figures.forest.collapsing import Int32, Int64, KeyFolding, depths, fold
from explorer.figures.forest.index import KeyIndex
from explorer.figures.key_tally import FAULTS, number_of

FAN_LENGTH = 6
"""Smallest number of childless siblings side by side that form a fan."""
FAN_SLOTS = 8.0
"""Largest fan with one slot per key; larger ones grow with the logarithm, to leave room for other keys."""
SHALLOW = 1000
"""Largest number of levels for which passes over whole levels beat loops over keys."""

Step = Literal["parent", "child", "next", "previous"]
Floats = npt.NDArray[np.float64]


class KeyLayout(msgspec.Struct, frozen=True, dict=True):
    """The places of m shown keys, sorted by level, then from left to right.

    A place spans the slots of its whole subtree; childless keys span one slot, or less in a large fan.
    """

    node: Int32
    """int32[m]: the key at each place."""
    place: Int32
    """int32[n]: the place that shows each key, possibly folded into another one."""
    level_start: Int64
    """int64[levels + 1]: the first place of each level."""
    parent: Int32
    """int32[m]: the parent place, -1 for a root."""
    first_child: Int32
    """int32[m]: the first child place; the other children follow it."""
    children: Int32
    """int32[m]: the number of child places."""
    left: Floats
    """float64[m]: the left edge in slots."""
    right: Floats
    """float64[m]: the right edge in slots."""
    state: npt.NDArray[np.uint8]
    """uint8[m]: index into KEY_STATES; a place of several keys shows a fault of any of them."""
    fan_start: Int64
    """int64[fans]: the first place of each fan of childless siblings."""
    fan_stop: Int64
    """int64[fans]: the end of each fan, exclusive."""
    folding: KeyFolding
    slots: float
    """Width of the forest in slots."""

    @property
    def levels(self) -> int:
        """Number of levels."""
        return len(self.level_start) - 1

    def level(self, number: int) -> slice:
        """Return the places of one level."""
        return slice(int(self.level_start[number]), int(self.level_start[number + 1]))

    def level_of(self, place: int) -> int:
        """Return the level of a place."""
        return int(np.searchsorted(self.level_start, place, "right")) - 1

    def between(self, number: int, left: float, right: float) -> slice:
        """Return the places of level `number` that overlap the slots from `left` to `right`."""
        level = self.level(number)
        first = level.start + int(np.searchsorted(self.right[level], left, "right"))
        last = level.start + int(np.searchsorted(self.left[level], right, "left"))
        return slice(first, max(first, last))

    def fans_between(self, places: slice) -> slice:
        """Return the fans that overlap the range `places`."""
        first = int(np.searchsorted(self.fan_stop, places.start, "right"))
        last = int(np.searchsorted(self.fan_start, places.stop, "left"))
        return slice(first, max(first, last))

    def at(self, level: int, slot: float) -> int | None:
        """Return the place at a slot of a level, or None."""
        if not 0 <= level < self.levels:
            return None
        places = self.level(level)
        place = places.start + int(np.searchsorted(self.right[places], slot, "right"))
        return place if place < places.stop and self.left[place] <= slot else None

    def neighbour(self, place: int, step: Step) -> int:
        """Return the place one keyboard step away, or `place` itself."""
        if step == "parent":
            return int(self.parent[place]) if self.parent[place] >= 0 else place
        if step == "child":
            return int(self.first_child[place]) if self.children[place] else place
        neighbour = place + (1 if step == "next" else -1)
        level = self.level(self.level_of(place))
        return neighbour if level.start <= neighbour < level.stop else place

    @cached_property
    def least_width(self) -> float:
        """Width of the narrowest place in slots."""
        return float((self.right - self.left).min())

    def steps(self, place: int) -> int:
        """Return the number of chain steps at the place, 0 for an ordinary key."""
        return int(self.folding.steps[self.node[place]])

    def members(self, place: int) -> npt.NDArray[np.intp]:
        """Return the keys represented by the place, int[k]."""
        return np.flatnonzero(self.folding.shown_in == self.node[place])

    def folded(self, place: int) -> int:
        """Return the number of library-internal keys folded into the place."""
        return int(self.folding.folded[self.node[place]])


def lay_out(index: KeyIndex) -> KeyLayout:
    """Return the layout of a graph with at least one key.

    Time is linear in the number of keys: whole levels at a time if there are few, key by key in a deep forest.
    """
    folding = fold(index)
    shown = np.flatnonzero(folding.shown)
    compact = np.full(index.nodes, -1, np.int32)
    compact[shown] = np.arange(len(shown), dtype=np.int32)
    parent = np.where(folding.parent[shown] >= 0, compact[folding.parent[shown]], -1).astype(np.int32)
    depth = depths(parent)
    order = _order(parent, depth)
    rank = np.empty(len(shown), np.int32)
    rank[order] = np.arange(len(shown), dtype=np.int32)
    above = np.where(parent[order] >= 0, rank[parent[order]], -1).astype(np.int32)
    node = shown[order].astype(np.int32)
    return _measured(node, rank[compact[folding.shown_in]], above, depth[order], index, folding)


def _measured(
    node: Int32, place: Int32, parent: Int32, depth: Int32, index: KeyIndex, folding: KeyFolding
) -> KeyLayout:
    """Return the layout of places that are already in order."""
    level_start = np.searchsorted(depth, np.arange(int(depth[-1]) + 2))
    children = np.bincount(parent + 1, minlength=len(node) + 1).astype(np.int32)
    first_child = np.cumsum(children)[:-1].astype(np.int32)
    children = children[1:]
    fan_start, fan_stop = _fans(parent, children)
    width = _leaf_widths(children, fan_start, fan_stop)
    measure = _by_level if len(level_start) <= SHALLOW else _one_by_one
    width, left = measure(width, parent, level_start)
    return KeyLayout(
        node, place, level_start, parent, first_child, children, left, left + width,
        _shown_states(index, folding)[node], fan_start, fan_stop, folding, float(width[: level_start[1]].sum()),
    )  # fmt: skip


def _shown_states(index: KeyIndex, folding: KeyFolding) -> npt.NDArray[np.uint8]:
    """Return the drawn state of each shown key, uint8[n]."""
    state = index.state
    if not folding.steps.any():
        return state
    state = state.copy()
    for fault in map(number_of, FAULTS):
        state[folding.shown_in[index.state == fault]] = fault
    return state


def _order(parent: Int32, depth: Int32) -> Int32:
    """Return the keys level by level, int32[m], with siblings side by side in their own order."""
    siblings = np.argsort(parent, kind="stable").astype(np.int32)
    start = np.cumsum(np.bincount(parent + 1, minlength=len(parent) + 1))
    if depth.max() > SHALLOW:
        return _order_one_by_one(siblings, start)
    levels = [siblings[: start[0]]]
    while (level := _children_of(levels[-1], siblings, start)).size:
        levels.append(level)
    return np.concatenate(levels)


def _children_of(level: Int32, siblings: Int32, start: Int64) -> Int32:
    first, count = start[level], start[level + 1] - start[level]
    before = np.cumsum(count) - count
    return siblings[np.repeat(first - before, count) + np.arange(int(count.sum()))]


def _order_one_by_one(siblings: Int32, start: Int64) -> Int32:
    keys, first = siblings.tolist(), start.tolist()
    order = keys[: first[0]]
    for key in order:
        order.extend(keys[first[key] : first[key + 1]])
    return np.array(order, np.int32)


def _fans(parent: Int32, children: Int32) -> tuple[Int64, Int64]:
    """Return the starts and ends of runs of at least FAN_LENGTH childless siblings, int64[fans] both."""
    kind = np.where(children == 0, parent, -2)
    turns = np.flatnonzero(np.diff(kind)) + 1
    start = np.concatenate([[0], turns])
    stop = np.concatenate([turns, [len(parent)]])
    fan = (stop - start >= FAN_LENGTH) & (kind[start] > -2)
    return start[fan], stop[fan]


def _leaf_widths(children: Int32, fan_start: Int64, fan_stop: Int64) -> Floats:
    """Return the width of each childless key in slots, float64[m], 0 for other keys."""
    width: Floats = (children == 0).astype(np.float64)
    count = fan_stop - fan_start
    share = np.where(count > FAN_SLOTS, FAN_SLOTS * (1 + np.log10(count / FAN_SLOTS)) / count, 1.0)
    lengths = count.astype(np.int64)
    inside = np.repeat(fan_start - (np.cumsum(lengths) - lengths), lengths) + np.arange(int(lengths.sum()))
    width[inside] = np.repeat(share, lengths)
    return width


def _by_level(width: Floats, parent: Int32, level_start: Int64) -> tuple[Floats, Floats]:
    """Return the width and the left edge of each place in slots, float64[m] both."""
    lower_levels = list(pairwise(level_start.tolist()))[1:]
    for start, stop in reversed(lower_levels):
        families = np.flatnonzero(np.diff(parent[start:stop], prepend=-1))
        width[parent[start + families]] = np.add.reduceat(width[start:stop], families)
    left = np.cumsum(width) - width
    for start, stop in lower_levels:
        above = parent[start:stop]
        before = np.cumsum(width[start:stop]) - width[start:stop]
        families = np.flatnonzero(np.diff(above, prepend=-1))
        lengths = np.diff(families, append=len(above))
        left[start:stop] = left[above] + before - np.repeat(before[families], lengths)
    return width, left


def _one_by_one(width: Floats, parent: Int32, level_start: Int64) -> tuple[Floats, Floats]:
    """Return the same as `_by_level`, faster for a deep forest."""
    wide, above = width.tolist(), parent.tolist()
    for place in range(len(above) - 1, int(level_start[1]) - 1, -1):
        wide[above[place]] += wide[place]
    left, taken = [0.0] * len(above), [0.0] * (len(above) + 1)
    for place, over in enumerate(above):
        left[place] = taken[place] = taken[over]
        taken[over] += wide[place]
    return np.array(wide), np.array(left)
