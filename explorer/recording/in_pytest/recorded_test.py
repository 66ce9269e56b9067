"""Records one test, and finds out what it did."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from explorer.commands.programs.script import after_import
from explorer.messages import Finding

if TYPE_CHECKING:
    from explorer.worker.recording.recorder import Recording


@dataclass
class Seen:
    """The recorded facts of one test."""

    is_test: Callable[[str], bool] | None = None
    """Whether a file holds tests, which may reuse keys from seeds of their own; None where they may not."""
    findings: list[Finding] = field(default_factory=list)
    was_recorded: bool = False
    """Whether jax was there to be recorded."""
    ours_s: float = 0.0
    """Seconds that went into beginning, ending and reading the recordings."""
    problem: str = ""
    """Why it cannot be told what the test did; empty where it can."""

    def add(self, findings: tuple[Finding, ...]) -> None:
        """Add `findings`, each place once: a test may run the same lines many times over."""
        known = {(each.kind, each.spans) for each in self.findings}
        self.findings += [each for each in findings if (each.kind, each.spans) not in known]

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the time of the block as ours, and what fails in it as a problem of ours."""
        begin = time.perf_counter()
        try:
            yield
        except Exception as error:
            self.problem = f"{type(error).__name__}: {error}"
        finally:
            self.ours_s += time.perf_counter() - begin


@contextmanager
def recorded(seen: Seen, studied: str, *, values: bool) -> Iterator[None]:
    """Record the block once jax is there, and add what is found to `seen`; nothing is imported for that alone."""
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


def _read(seen: Seen, recordings: list[Recording], *, has_failed: bool) -> None:
    for recording in recordings:
        with seen.timed():
            from explorer.worker.runs import in_process

            # What a test that failed has not used it may have been going to use.
            seen.add(in_process.report("test", recording, keys_go_on=has_failed, is_test=seen.is_test).findings or ())


@contextmanager
def each_example(function: Any, record: Callable[[], Any]) -> Iterator[bool]:
    """Call the examples of a test of hypothesis each inside ``record()``, and tell whether it is such a test.

    They are runs of their own: what two of them do with one seed has nothing to do with each other.
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
