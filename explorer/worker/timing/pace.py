"""Distribution of the seconds of a whole run among its points."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

LOOK_CLOSER = 3 / 8
"""Largest share of a budget that each curve takes besides the samples."""
LEAST_BUDGETS = 0.05
"""A point that would get less than this part of its budget is skipped: its median would be unknown."""
COLD = 2.5
"""Factor of the first calls' time if each starts from empty caches and is repeated."""


@dataclass
class Pace:
    """Distributor of `limit_s` seconds among `places`; at each, `curves` are sampled for at most `budget_s` seconds."""

    budget_s: float
    curves: int
    places: int
    clock: Callable[[], float]
    limit_s: float = math.inf

    def __post_init__(self) -> None:
        self._begun = self._here = self.clock()
        self._set_up_s, self._is_cold = 0.0, False

    def begin(self) -> float | None:
        """Go to the next place, and return the seconds of sampling there; None to skip it.

        The first place is never skipped.
        """
        is_first = self._here == self._begun
        self._here = self.clock()
        left_s = self.limit_s - (self._here - self._begun)
        more, least_s = 1 + LOOK_CLOSER * self.curves, LEAST_BUDGETS * self.budget_s
        # As many of the remaining places as there is time for.
        places = min(self.places, max(1.0, left_s // max(self._set_up_s + least_s * more, 1e-9)))
        self.places -= 1
        possible_s = (left_s / places - self._set_up_s) / more
        if possible_s < least_s and not is_first:
            return None
        return min(self.budget_s, max(possible_s, least_s))

    def may_be_cold(self) -> bool:
        """Return whether there is time for first calls from empty caches at this place; the answer is binding."""
        left_s = self.limit_s - (self._here - self._begun)
        self._is_cold = left_s >= COLD * self._set_up_s
        return self._is_cold

    def set_up(self) -> None:
        """Record the end of the first calls of this place; those of the next place are expected to take as long."""
        self._set_up_s = (self.clock() - self._here) / (COLD if self._is_cold else 1)
        self._is_cold = False
