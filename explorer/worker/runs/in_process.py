"""Records a stretch of the user's program inside the program's own process, and makes the report of its findings."""

from __future__ import annotations

import functools
import math
import os
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import jax
import msgspec

from explorer.messages import Extent, Failure, Picture, Report, Status
from explorer.text.text import verbatim
from explorer.worker.code.own_modules import INSTALLED
from explorer.worker.errors import failure as errors
from explorer.worker.internals import dispatch
from explorer.worker.internals.spans import UserFiles
from explorer.worker.lineage import key_graph
from explorer.worker.lineage.misuse import findings
from explorer.worker.lineage.misuse.on_purpose import OfTests
from explorer.worker.recording import recorder
from explorer.worker.recording.recorder import Recording
from explorer.worker.runs import call_curves, coverage
from explorer.worker.runs.call_curves import CauseSearch, no_cause
from explorer.worker.runs.observe import Observer

JAX_VERSION: str = jax.__version__

_CELL = re.compile(r"<(stdin|ipython|python-input)")
"""File names of typed code."""


@functools.cache
def own_files(studied: str = "", aside: str = "") -> UserFiles:
    """Return the predicate for user files: neither installed, nor generated, nor ours.

    Files below the path `studied` count even if installed; the file `aside` does not count.
    """

    @functools.cache
    def is_own(filename: str) -> bool:
        if filename == aside:
            return False
        if filename.startswith("<"):
            return _CELL.match(filename) is not None
        below = os.sep + filename.removeprefix(studied) if studied and filename.startswith(studied) else filename
        return recorder.is_user_code_by_default(filename) and not INSTALLED.search(below)

    return UserFiles(is_own)


@contextmanager
def recorded(studied: str = "", *, values: bool = False, aside: str = "") -> Iterator[Recording]:
    """Record the keys and traces of the block, and its values with `values`; wait for callbacks at its end.

    Code below the path `studied` is user code even if installed; code in the file `aside` is not.
    """
    is_own_code = own_files(studied, aside)
    # `run` removes the module before the recording ends.
    observer, program = Observer(is_own_code), sys.modules["__main__"]
    with ExitStack() as stack:
        recording = stack.enter_context(recorder.recorded(is_own_code, calls=True))
        if values:
            from explorer.worker.checks.values import findings, watch

            log = stack.enter_context(watch.watched(is_own_code, recorder.KeyRecorder(recording.log)))
            recording.has_ended = functools.partial(log.finish, vars(program))
            recording.values = lambda: (findings.value_findings(log), log.saw_all)
        try:
            with observer.loading():
                yield recording
                jax.effects_barrier()
        finally:
            recording.has_ended()
            recording.lost_traces = observer.has_failed
            recording.traces, found, changes = observer.seen(program)
            recording.inspection = (*changes, *found)


def unrecorded() -> Recording:
    """Return the recording of a program that never imported jax."""
    recording = Recording(is_user_code=own_files())
    recording.log.notes.add(verbatim("The program did not import jax, so there was nothing to record."))
    return recording


def report(name: str, recording: Recording, *, keys_go_on: bool = False, is_test: OfTests | None = None) -> Report:
    """Return the report on the recorded program `name`; `recording.error` is its exception.

    With `keys_go_on` the program continues after the recording, so that unused keys may be used later. With `is_test`
    it is a test: reuse of a key from a seed in the selected files is a warning.
    """
    ended = recording.error is not None
    extent_of_keys = coverage.extent_of_keys(recording)
    result = _of_keys(name, recording, extent_of_keys, keys_go_on=keys_go_on, is_test=is_test)
    patience_s = key_graph.PATIENCE_S if ended else math.inf
    # The check of values has found the operation in the run itself.
    cause = CauseSearch(recording.is_user_code).cause if recording.values is None else no_cause
    calls = call_curves.curves(recording.calls, recording.is_user_code, patience_s, cause)
    result = msgspec.structs.replace(result, calls=calls)
    failure = _failure(recording) if ended else None
    result = msgspec.structs.replace(result, status=_status(recording.error), failure=failure)
    traced: Extent = "failed" if recording.lost_traces else "ended" if ended else "partly"
    inspection = coverage.part("tracing", recording.inspection, traced, clocks=recording.values is None)
    result = coverage.with_part(result, inspection, recording.inspection)
    if recording.values is None:
        return coverage.with_part(result, coverage.part("values", extent="no"))
    of_values, saw_all = recording.values()
    extent: Extent = "ended" if ended else "whole" if saw_all else "partly"
    return coverage.with_part(result, coverage.part("values", of_values, extent), of_values)


def report_so_far(name: str, recording: Recording) -> Report:
    """Return the report on the keys of the program `name` so far; it still runs."""
    with dispatch.undispatched():
        extent: Extent = "failed" if recording.lost_keys else "ended"
        result = _of_keys(name, recording, extent, keys_go_on=True)
        calls = call_curves.curves(recording.calls, recording.is_user_code, 0.0)
        result = msgspec.structs.replace(result, calls=calls)
    for part in ("tracing", "values"):
        result = coverage.with_part(result, coverage.part(part, extent="no"))
    return result


def _of_keys(
    name: str, recording: Recording, extent: Extent, *, keys_go_on: bool, is_test: OfTests | None = None
) -> Report:
    known = key_graph.key_lineage(recording)
    found = findings.find(known, to_its_end=extent == "whole", is_test=is_test)
    if keys_go_on:
        found = tuple(finding for finding in found if finding.kind != "unused-key")
    graph = key_graph.key_graph(known)
    result = Report(name, "stopped", keys=graph, findings=found)
    return coverage.with_part(result, coverage.of_keys(found, graph, extent))


def pictures_of(report: Report, outputs: object = ()) -> tuple[Picture, ...]:
    """Return pictures of the arrays in `outputs` and of the draws, made again, with their groups of equal examples."""
    from explorer.worker.pictures import pictures, repeated_draws

    draws = repeated_draws.draws(report.keys, report.findings or ()) if report.keys is not None else ()
    return pictures.pictures(outputs, {}, report.findings or (), draws)


def _status(error: BaseException | None) -> Status:
    if isinstance(error, KeyboardInterrupt):
        return "stopped"
    return "ok" if error is None else "error"


def _failure(recording: Recording) -> Failure:
    error = recording.error
    assert error is not None
    failure = errors.failure(error, recording.is_user_code)
    if isinstance(error, SystemExit):
        # A stand-alone program may quit: there is nothing to fix.
        return msgspec.structs.replace(failure, explanation="")
    if isinstance(error, SyntaxError) and failure.span is not None:
        span = msgspec.structs.replace(failure.span, file=error.filename or "")
        failure = msgspec.structs.replace(failure, span=span)
    return failure
