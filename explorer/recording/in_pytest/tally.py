"""Counts over all tests, in one process or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from explorer.messages import LEVELS
from explorer.recording.in_pytest.settings import PytestSettings

MAX_PLACES = 20
"""Largest number of finding places to list; the rest is counted."""
ALLOWED = "allowed"
"""Used instead of the level for allowed findings."""

Row = tuple[str, str, str]
"""(level, kind, place) of a finding."""


@dataclass
class RunTotals:
    """Totals over all tests, and the cost of their recording."""

    tests: int = 0
    """Number of recorded tests."""
    others: int = 0
    """Number of tests that ran before any import of jax."""
    seconds: float = 0.0
    """Seconds of the recorded tests."""
    ours_s: float = 0.0
    """Seconds spent on starting, ending and reading the recordings."""
    rows: Counter[Row] = field(default_factory=Counter)
    """Number of tests for each row."""
    needed: set[str] = field(default_factory=set)
    """Texts of the allowances that were used."""
    problems: Counter[str] = field(default_factory=Counter)
    """Reasons for failed recordings, with their number."""

    def to_plain(self) -> dict[str, Any]:
        """Return the counts as plain values, for another process."""
        return {
            **vars(self),
            "rows": [[*row, count] for row, count in self.rows.items()],
            "needed": sorted(self.needed),
            "problems": dict(self.problems),
        }

    def add_plain(self, other: dict[str, Any]) -> None:
        """Add the counts of another process."""
        self.tests += other["tests"]
        self.others += other["others"]
        self.seconds += other["seconds"]
        self.ours_s += other["ours_s"]
        self.rows.update({(level, kind, place): count for level, kind, place, count in other["rows"]})
        self.needed.update(other["needed"])
        self.problems.update(other["problems"])

    def lines(self, settings: PytestSettings, *, is_strict: bool) -> Iterator[str]:
        """Yield the lines of the final summary."""
        order = (*LEVELS, ALLOWED)
        rows = sorted(self.rows.items(), key=lambda each: (order.index(each[0][0]), -each[1], each[0]))
        widths = [max((len(row[column]) for row, _ in rows[:MAX_PLACES]), default=0) for column in range(3)]
        for row, count in rows[:MAX_PLACES]:
            cells = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            yield f"{cells}  {_count(count, 'test')}"
        if len(rows) > MAX_PLACES:
            yield f"... and {_count(len(rows) - MAX_PLACES, 'more place')}"
        for problem, count in self.problems.items():
            yield f"{_count(count, 'test')} could not be reported: {problem}"
        for allowance in settings.allow:
            if allowance.words not in self.needed:
                yield f"not needed in this run: allow {allowance.words!r}"
        warnings = sum(count for (level, _, _), count in self.rows.items() if level == "warning")
        if warnings and "warning" not in settings.levels:
            yield f"{_count(warnings, 'warning')} failed no test. To make them fail:"
            if not is_strict:
                yield "  --jax-keys=strict: a test that uses a key from its own seed more than once"
            yield '  levels = ["bug", "warning"] in [tool.jax-explorer] of pyproject.toml: all warnings'
        yield self._cost()

    def _cost(self) -> str:
        if not self.tests:
            return "no test was recorded" + (": none imports jax" if self.others else "")
        took = f"{_count(self.tests, 'test')} recorded in {self.seconds:.1f} s"
        found = "" if self.rows else "; nothing found"
        return f"{took}, {self.ours_s:.1f} s of it to begin, end and read the recordings{found}"


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" + ("" if number == 1 else "s")
