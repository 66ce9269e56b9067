"""The recording of one test, its findings, and the totals over all tests."""

from __future__ import annotations

import functools
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from explorer.commands.findings_report import counted
from explorer.commands.programs.script import after_import
from explorer.messages import LEVELS, Finding, Report
from explorer.recording.in_pytest.settings import PytestSettings

MAX_PLACES = 20
"""Largest number of finding places to list; the rest is counted."""
ALLOWED = "allowed"
"""Used instead of the level for allowed findings."""

Row = tuple[str, str, str]
"""(level, kind, place) of a finding."""


class RunTotals(msgspec.Struct):
    """Totals over all tests, and the cost of their recording."""

    tests: int = 0
    """Number of recorded tests."""
    others: int = 0
    """Number of tests that ran before any import of jax."""
    seconds: float = 0.0
    """Seconds of the recorded tests."""
    ours_s: float = 0.0
    """Seconds spent on starting, ending and reading the recordings."""
    rows: Counter[Row] = msgspec.field(default_factory=Counter)
    """Number of tests for each row."""
    needed: set[str] = set()
    """Texts of the allowances that were used."""
    problems: Counter[str] = msgspec.field(default_factory=Counter)
    """Reasons for failed recordings, with their number."""

    def to_plain(self) -> dict[str, Any]:
        """Return the counts as plain values, for another process."""
        return {
            **msgspec.structs.asdict(self),
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
            yield f"{cells}  {counted(count, 'test')}"
        if len(rows) > MAX_PLACES:
            yield f"... and {counted(len(rows) - MAX_PLACES, 'more place')}"
        for problem, count in self.problems.items():
            yield f"{counted(count, 'test')} could not be reported: {problem}"
        for allowance in settings.allow:
            if allowance.words not in self.needed:
                yield f"not needed in this run: allow {allowance.words!r}"
        warnings = sum(count for (level, _, _), count in self.rows.items() if level == "warning")
        if warnings and "warning" not in settings.levels:
            yield f"{counted(warnings, 'warning')} failed no test. To make them fail:"
            if not is_strict:
                yield "  --jax-keys=strict: a test that uses a key from its own seed more than once"
            yield '  levels = ["bug", "warning"] in [tool.jax-explorer] of pyproject.toml: all warnings'
        yield self._cost()

    def _cost(self) -> str:
        if not self.tests:
            return "no test was recorded" + (": none imports jax" if self.others else "")
        took = f"{counted(self.tests, 'test')} recorded in {self.seconds:.1f} s"
        found = "" if self.rows else "; nothing found"
        return f"{took}, {self.ours_s:.1f} s of it to begin, end and read the recordings{found}"


if TYPE_CHECKING:
    from explorer.worker.recording.recorder import Recording


class RecordedFacts(msgspec.Struct):
    """The recorded facts of one test."""

    is_test: Callable[[str], bool] | None = None
    """Predicate for test files, which may reuse keys from their own seeds; None if they may not."""
    findings: list[Finding] = []
    report: Report | None = None
    """The first one with findings."""
    was_recorded: bool = False
    """Whether jax was imported, and therefore recorded."""
    ours_s: float = 0.0
    """Seconds spent on starting, ending and reading the recordings."""
    problem: str = ""
    """Reason for a failed recording, or empty."""

    def add(self, report: Report) -> None:
        """Add the findings of `report` at new places: a test may run the same lines many times."""
        findings = report.findings or ()
        self.report = self.report or (report if findings else None)
        known = {(each.kind, each.spans) for each in self.findings}
        self.findings += [each for each in findings if (each.kind, each.spans) not in known]

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Add the time of the block to ours, and record its exception as our problem."""
        begin = time.perf_counter()
        try:
            yield
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"
        finally:
            self.ours_s += time.perf_counter() - begin


@contextmanager
def recorded(seen: RecordedFacts, studied: str, *, values: bool) -> Iterator[None]:
    """Record the block from the import of jax on, and add the findings to `seen`; jax is not imported for that."""
    recordings: list[Recording] = []
    end, has_failed = time.perf_counter(), True
    try:
        with ExitStack() as stack:

            def begin() -> None:
                with seen.timed():
                    from explorer.worker.runs import in_process

                    recordings.append(stack.enter_context(in_process.recorded(studied, values=values)))
                    seen.was_recorded = True

            try:
                with after_import("jax", begin):
                    yield
                has_failed = False
            finally:
                end = time.perf_counter()
    finally:
        seen.ours_s += time.perf_counter() - end
        _read(seen, recordings, has_failed=has_failed)


def _read(seen: RecordedFacts, recordings: list[Recording], *, has_failed: bool) -> None:
    for recording in recordings:
        with seen.timed():
            from explorer.worker.runs import in_process

            # A failed test may have been about to use its unused keys.
            seen.add(in_process.report("test", recording, keys_go_on=has_failed, is_test=seen.is_test))


@contextmanager
def each_example(function: Any, record: Callable[[], Any]) -> Iterator[bool]:
    """Run each example of a hypothesis test inside ``record()``; yield whether it is such a test.

    Examples are separate runs: equal seeds in two examples are unrelated.
    """
    handle = getattr(function, "hypothesis", None)
    inner = getattr(handle, "inner_test", None)
    if "hypothesis" not in sys.modules or inner is None:
        yield False
        return

    @functools.wraps(inner)
    def recorded_example(*arguments: Any, **named: Any) -> Any:
        with record():
            return inner(*arguments, **named)

    handle.inner_test = recorded_example  # type: ignore[union-attr]
    try:
        yield True
    finally:
        handle.inner_test = inner  # type: ignore[union-attr]
