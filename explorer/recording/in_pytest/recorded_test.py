"""The recording of one test, and its findings."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from explorer.commands.programs.script import after_import
from explorer.messages import Finding, Report

if TYPE_CHECKING:
    from explorer.worker.recording.recorder import Recording


@dataclass
class RecordedFacts:
    """The recorded facts of one test."""

    is_test: Callable[[str], bool] | None = None
    """Predicate for test files, which may reuse keys from their own seeds; None if they may not."""
    findings: list[Finding] = field(default_factory=list)
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
