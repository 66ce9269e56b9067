"""Predictions of a point's cost from earlier points, so that a sweep does not run into hours."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from explorer.messages import Value
from explorer.text.text import Text, say

FIRST_CALL_BUDGETS = 20
"""A first call predicted to take this many budgets is not tried: a compilation cannot be interrupted."""
FROM_ONE_POINT = 10
"""How far beyond a limit a prediction from one point must lie to be believed: most of a small cost is fixed."""
CLEARLY = 3
"""How many times longer one first call must take than the one before to show a growth: each is measured once only."""
STEEPEST = 3.0
"""No cost is taken to grow faster than with this power of the size, whatever two noisy points say."""


@dataclass
class CostHistory:
    """Costs of one subject at the values of one parameter; values that are no positive number have no size."""

    _sizes: list[float] = field(default_factory=list)
    _call_s: list[float] = field(default_factory=list)
    _first_s: list[float] = field(default_factory=list)
    _failed_at: float | None = None

    def add(self, value: Value | None, call_s: float, first_s: float) -> None:
        """Remember what a call and the first call cost at `value`."""
        if (size := _size(value)) is not None:
            self._sizes.append(size)
            self._call_s.append(call_s)
            self._first_s.append(first_s)

    def add_failure(self, value: Value | None) -> None:
        """Remember that it failed at `value`."""
        self._failed_at = _size(value)

    def reason_to_skip(self, value: Value | None, budget_s: float) -> Text:
        """Return in words why it is not worth trying at `value`, or an empty text."""
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
                call=f"{call_s:.2g}",
                budget=f"{budget_s:g}",
            )
        firsts, slack = self._first_s, FROM_ONE_POINT
        if len(firsts) > 1 and not firsts[-2] < firsts[-1] <= CLEARLY * firsts[-2]:
            slack = 1
        first_s = self._predicted(firsts if slack == 1 else firsts[-1:], size)
        if first_s > slack * FIRST_CALL_BUDGETS * budget_s:
            return say("the first call would take about {first} s", first=f"{first_s:.2g}")
        return Text()

    def _predicted(self, costs: list[float], size: float) -> float:
        """Return the last of `costs` scaled up to `size`, linearly from one point.

        From two, the greater of a straight line (a fixed cost and one for each element) and a power law.
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


def _size(value: Value | None) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    return float(value)
