"""Rows of the tables: two ways of doing one thing, timed in turns."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Protocol


class Row(Protocol):
    """The result of a benchmark."""

    def line(self) -> str:
        """Return it in one line."""
        ...


@dataclass(frozen=True)
class Comparison:
    """Paired samples, in seconds: the n-th of both come from the same repeat."""

    what: str
    ours_s: list[float]
    bare_s: list[float]
    aim: float
    """The upper limit that we want for the ratio."""

    @property
    def ratios(self) -> list[float]:
        return [ours / bare for ours, bare in zip(self.ours_s, self.bare_s, strict=True)]

    def line(self) -> str:
        """Return one line of the table: medians, median of the paired ratios and its quartiles."""
        low, middle, high = statistics.quantiles(self.ratios, n=4) if len(self.ratios) > 1 else self.ratios * 3
        ours_ms, bare_ms = (1e3 * statistics.median(samples) for samples in (self.ours_s, self.bare_s))
        quartiles = f"{low:.2f} to {high:.2f}"
        return f"{self.what:58} {ours_ms:7.1f} ms {bare_ms:7.1f} ms {middle:7.2f} {quartiles:>14} {self.aim:6.2f}"
