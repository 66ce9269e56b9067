"""How a limited time is shared out among the points of a sweep."""

from __future__ import annotations

import math
from collections.abc import Callable

FIRST_PARTS = 3
"""The first point has at least one of so many parts."""


class Shares:
    """The time that there is, shared out among the points to come."""

    def __init__(self, limit_s: float, points: int, clock: Callable[[], float]) -> None:
        """Share `limit_s` seconds from now on among `points`; without a limit, never look at the clock."""
        self._clock, self._points = clock, points
        self._end = clock() + limit_s if limit_s < math.inf else math.inf
        self._point_end = math.inf
        self._has_begun = False

    def begin(self) -> None:
        """Begin the next point."""
        if self._end < math.inf:
            now = self._clock()
            # The first is the value in force: its figures are the ones that are read.
            parts = self._points if self._has_begun else min(self._points, FIRST_PARTS)
            self._point_end = now + (self._end - now) / parts
        self._points, self._has_begun = self._points - 1, True

    def is_over(self) -> bool:
        """Return whether there is no time left for anything."""
        return self._end < math.inf and self._clock() >= self._end

    def left_s(self) -> float:
        """Return what is left for this point."""
        return max(0.0, self._point_end - self._clock()) if self._end < math.inf else math.inf
