"""What lies between the first and the last difference of two texts."""

from __future__ import annotations


def changed_middle(one: str, other: str) -> tuple[int, int]:
    """Return how many characters `one` and `other` begin with in common, and how many of the rest they end with."""
    front = _common_prefix(one, other)
    return front, _common_prefix(one[front:][::-1], other[front:][::-1])


def _common_prefix(one: str, other: str) -> int:
    """By halving: comparing slices is fast."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
