"""Time by line: the share of operation time that each line of a compiled program takes."""

from __future__ import annotations

from typing import Any, Self

import msgspec

from explorer.messages.lenses.lens import Lens, LensSpec, Rerun
from explorer.text.text import say

MEASURE = Rerun("time")
"""Runs the variant several times under JAX's profiler."""


class LineShare(msgspec.Struct, frozen=True):
    """The operations that compute the same lines."""

    lines: tuple[int, ...]
    """The lines in user code, in order. Several for fusions, which are not split; empty without a line."""
    share: float
    """Of operation time: the median over the calls, from 0 to 1."""
    low: float | None
    high: float | None
    """The 95 % interval of `share`; None from too few calls."""
    operations: tuple[str, ...] = ()
    """Primitives or instructions, the most expensive first."""


class TimeLens(Lens, frozen=True, tag=True):
    """The operation time of a variant by line. Threads overlap, so it is not the time that passes."""

    measured: bool = False
    """Whether it was asked for."""
    shares: tuple[LineShare, ...] = ()
    """The largest first."""
    calls: int = 0
    """Number of measured calls."""
    operation_s: float = 0.0
    """Seconds of operation time in one call, the median."""

    def as_json(self) -> dict[str, Any]:
        return {
            "shares": [
                {
                    "lines": list(each.lines),
                    "share": each.share,
                    "low": each.low,
                    "high": each.high,
                    "operations": list(each.operations),
                }
                for each in self.shares
            ],
            "calls": self.calls,
            "operation_s": self.operation_s,
        }

    def completed(self, before: Self) -> Self:
        return self if self.measured else before


LENS = LensSpec(
    "time",
    TimeLens,
    name=say("time"),
    tip=say("Shows which lines of the compiled program take how much of its operation time"),
    about=say(
        "The share of each line in the time of the operations that [XLA](xla) made of the program, from JAX's "
        "profiler. Operations on several threads overlap, so these are no shares of the time that passes. A fusion "
        "computes several lines in one operation: it names them all, and its time is not split."
    ),
    timing=MEASURE,
)
