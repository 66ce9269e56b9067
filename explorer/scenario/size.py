"""How long code may be that is opened: beyond that, no text on a screen can be worked with."""

from __future__ import annotations

MOST_BYTES = 10_000_000
MOST_IN_LINE = 50_000
"""Qt lays a line out as a whole, at each key: one of a megabyte would hold the window for a second."""


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
