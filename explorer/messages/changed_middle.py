"""Difference of two texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

STRETCH = 1 << 16
"""Number of characters compared at once: larger slices exceed the CPU cache."""
SHORT = 10_000
"""Shorter differences are not divided into several changes."""
ANCHOR, FARTHEST = 60, 5000
"""Number of equal characters that end a change, and the largest distance at which they are sought."""
MOST_CHANGES = 1000


class Change(NamedTuple):
    """A character range of one text that is replaced by a range of the other."""

    start: int
    end: int
    other_start: int
    other_end: int


def changed_middle(one: str, other: str) -> tuple[int, int]:
    """Return the lengths of the common prefix of `one` and `other`, and of the common suffix of the rest."""
    front = _common_prefix(one, other, 0, 0, min(len(one), len(other)))
    most = min(len(one), len(other)) - front
    return front, _common_prefix(one[::-1], other[::-1], 0, 0, most)


def changes(one: str, other: str) -> Iterator[Change]:
    """Yield changes from `one` to `other`; in long texts, distant changes are separate."""
    front, back = changed_middle(one, other)
    rest = Change(front, len(one) - back, front, len(other) - back)
    for _ in range(MOST_CHANGES):
        if max(rest.end - rest.start, rest.other_end - rest.other_start) <= SHORT:
            break
        start, other_start = _next_in_common(one, other, rest)
        if (start, other_start) == (rest.end, rest.other_end):
            break
        yield Change(rest.start, start, rest.other_start, other_start)
        most = min(rest.end - start, rest.other_end - other_start)
        same = _common_prefix(one, other, start, other_start, most)
        rest = Change(start + same, rest.end, other_start + same, rest.other_end)
    yield rest


def _next_in_common(one: str, other: str, rest: Change) -> tuple[int, int]:
    """Return the next position with equal text, at a line start of `other`; the ends of `rest` if there is none."""
    nearest, found = FARTHEST, (rest.end, rest.other_end)
    place = other.find("\n", rest.other_start, rest.other_end) + 1
    while place and place + ANCHOR <= rest.other_end and place - rest.other_start < nearest:
        farthest = min(rest.end, rest.start + nearest + ANCHOR)
        there = one.find(other[place : place + ANCHOR], rest.start, farthest)
        far = place - rest.other_start + there - rest.start
        if there >= 0 and far < nearest:
            nearest, found = far, (there, place)
        place = other.find("\n", place, rest.other_end) + 1
    return found


def _common_prefix(one: str, other: str, start: int, other_start: int, most: int) -> int:
    """Return the number of equal characters from `start` and `other_start` on, at most `most`."""
    low = 0
    while low < most and other.startswith(one[start + low : start + min(low + STRETCH, most)], other_start + low):
        low += STRETCH
    high = min(low + STRETCH, most)
    while low < high:
        middle = (low + high + 1) // 2
        if one[start + low : start + middle] == other[other_start + low : other_start + middle]:
            low = middle
        else:
            high = middle - 1
    return min(low, most)
