"""Limits of opened code, beyond which a text on screen is not usable."""

from __future__ import annotations

from itertools import accumulate

MOST_BYTES = 10_000_000
MOST_IN_LINE = 50_000
"""Qt lays out a line as a whole at each key: a line of one megabyte would block the window for a second."""
SCREEN_LINES, MOST_ON_SCREEN = 60, 200_000
"""The most characters in this number of lines: Qt lays out every line on screen."""


def overlong_line(text: str) -> int:
    """Return the number of the first line of `text` that is too long to be shown; 0 where none is."""
    start, number = 0, 1
    while len(text) - start > MOST_IN_LINE:
        # Only where no line ends within the next characters is there one that is too long.
        end = text.rfind("\n", start, start + MOST_IN_LINE + 1)
        if end < 0:
            return number
        number += text.count("\n", start, end + 1)
        start = end + 1
    return 0


def crowded_line(text: str) -> int:
    """Return the number of the first line of `text` from which on a screen has more than can be shown; 0 for none."""
    half = MOST_ON_SCREEN // 2
    # A longer line contains a stretch of half that length, in which so few lines end.
    starts = range(0, len(text) - half + 1, half)
    if all(text.count("\n", start, start + half) >= SCREEN_LINES for start in starts):
        return 0
    ends = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    last = len(ends) - 1
    screens = (ends[min(row + SCREEN_LINES, last)] - ends[row] for row in range(last))
    return next((row + 1 for row, length in enumerate(screens) if length > MOST_ON_SCREEN), 0)
