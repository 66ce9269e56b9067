"""The difference of two texts, as the lengths of their common prefix and suffix."""

from __future__ import annotations

STRETCH = 1 << 16
"""Number of characters compared at once: larger slices exceed the CPU cache."""


def changed_middle(one: str, other: str) -> tuple[int, int]:
    """Return the lengths of the common prefix of `one` and `other`, and of the common suffix of the rest."""
    front = _common_prefix(one, other, min(len(one), len(other)))
    return front, _common_prefix(one[::-1], other[::-1], min(len(one), len(other)) - front)


def _common_prefix(one: str, other: str, most: int) -> int:
    """Return the number of equal characters at the start, at most `most`."""
    low = 0
    while low < most and other.startswith(one[low : min(low + STRETCH, most)], low):
        low += STRETCH
    high = min(low + STRETCH, most)
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return min(low, most)
