"""Predictions of a point's cost from earlier points, which keep a sweep from running for hours."""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass, field

from explorer.messages import Value
from explorer.text.text import Text, say

FIRST_CALL_BUDGETS = 20
"""A first call predicted to take longer, in budgets, is skipped: a compilation cannot be interrupted."""
FROM_ONE_POINT = 10
"""Factor by which a prediction from one point must exceed a limit to count: most of a small cost is fixed."""
CLEARLY = 3
"""Factor between two first calls that shows growth: each is measured only once."""
STEEPEST = 3.0
"""Largest exponent of a cost in the size, regardless of two noisy points."""


@dataclass
class CostHistory:
    """Costs of one subject at values of one parameter, in seconds; only positive numbers have a size."""

    _sizes: list[float] = field(default_factory=list)
    _call_s: list[float] = field(default_factory=list)
    _first_s: list[float] = field(default_factory=list)
    _failed_at: float | None = None

    def add(self, value: Value | None, call_s: float, first_s: float) -> None:
        """Record the seconds of a call and of the first call at `value`."""
        if (size := _size(value)) is not None:
            place = bisect.bisect(self._sizes, size)
            for known, new in ((self._sizes, size), (self._call_s, call_s), (self._first_s, first_s)):
                known.insert(place, new)

    def add_failure(self, value: Value | None) -> None:
        self._failed_at = _size(value)

    def reason_to_skip(self, value: Value | None, budget_s: float) -> Text:
        """Return the reason not to measure at `value` with a budget of `budget_s` seconds, or an empty text."""
        size = _size(value)
        if size is None:
            return Text()
        if self._failed_at is not None and size > self._failed_at:
            return say("it failed at {value} already", value=f"{self._failed_at:g}")
        slack = 1 if len(self._sizes) > 1 else FROM_ONE_POINT
        call_s = self._predicted(self._call_s, size)
        if call_s > slack * budget_s:
            return say(
                "one call would take about {call} s, and the budget is {budget} s",
                call=_roughly(call_s),
                budget=f"{budget_s:g}",
            )
        firsts, slack = self._first_s, FROM_ONE_POINT
        if len(firsts) > 1 and not firsts[-2] < firsts[-1] <= CLEARLY * firsts[-2]:
            slack = 1
        first_s = self._predicted(firsts if slack == 1 else firsts[-1:], size)
        if first_s > slack * FIRST_CALL_BUDGETS * budget_s:
            return say("the first call would take about {first} s", first=_roughly(first_s))
        return Text()

    def _predicted(self, costs: list[float], size: float) -> float:
        """Return the last of `costs`, extrapolated to `size`, linearly from one point.

        From two points, return the larger of a straight line (fixed cost plus cost per element) and a power law.
        """
        if not costs or size <= self._sizes[-1]:
            return 0.0
        times_larger = size / self._sizes[-1]
        if len(costs) == 1:
            return costs[-1] * times_larger
        before, last = costs[-2:]
        step = self._sizes[-1] / self._sizes[-2]
        if step <= 1 or last <= before:
            return last
        power = min(math.log(last / before) / math.log(step), STEEPEST)
        straight = last + (last - before) * (times_larger - 1) / (1 - 1 / step)
        return float(max(straight, last * times_larger**power))


def _roughly(seconds: float) -> str:
    """Return two digits of `seconds`, written as one says them: 540, not 5.4e+02."""
    return f"{float(f'{seconds:.2g}'):.12g}"


def _size(value: Value | None) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    return float(value)
