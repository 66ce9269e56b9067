"""Counts what was seen of all tests, in one process or in several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from explorer.messages import LEVELS
from explorer.recording.in_pytest.settings import Settings

MAX_PLACES = 20
"""Places of findings that are listed; the rest are counted."""
ALLOWED = "allowed"
"""Stands instead of the level of what is allowed."""
IN_BASELINE = "baseline"
"""And of what the baseline passes over."""

Row = tuple[str, str, str]
"""Level, kind and place of a finding."""


@dataclass
class Tally:
    """Totals over all tests, and the cost of recording them."""

    tests: int = 0
    """That were recorded."""
    others: int = 0
    """Tests that ran before anything had imported jax."""
    seconds: float = 0.0
    """That the recorded ones took."""
    ours_s: float = 0.0
    """What of it went into beginning, ending and reading the recordings."""
    rows: Counter[Row] = field(default_factory=Counter)
    """In how many tests each was found."""
    needed: set[str] = field(default_factory=set)
    """The words of the allowances that allowed something."""
    problems: Counter[str] = field(default_factory=Counter)
    """Why it cannot be told what some tests did."""

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain values, for another process."""
        return {
            **vars(self),
            "rows": [[*row, count] for row, count in self.rows.items()],
            "needed": sorted(self.needed),
            "problems": dict(self.problems),
        }

    def add_plain(self, other: dict[str, Any]) -> None:
        """Add what another process has counted."""
        self.tests += other["tests"]
        self.others += other["others"]
        self.seconds += other["seconds"]
        self.ours_s += other["ours_s"]
        self.rows.update({(level, kind, place): count for level, kind, place, count in other["rows"]})
        self.needed.update(other["needed"])
        self.problems.update(other["problems"])

    def lines(self, settings: Settings, *, is_strict: bool) -> Iterator[str]:
        """Yield what is reported at the end of all tests."""
        order = (*LEVELS, IN_BASELINE, ALLOWED)
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
