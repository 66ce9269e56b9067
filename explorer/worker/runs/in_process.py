"""Records a stretch of the person's own program in the process in which it runs, and tells what was found."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import jax
import msgspec

from explorer.messages import LEVELS, Failure, Report, Status
from explorer.worker.checks import values as value_watch
from explorer.worker.checks.findings import value_findings
from explorer.worker.errors import failure as errors
from explorer.worker.internals.spans import Files
from explorer.worker.lineage import findings, key_graph
from explorer.worker.recording import recorder
from explorer.worker.recording.recorder import Recording

JAX_VERSION: str = jax.__version__

_INSTALLED = re.compile(r"[\\/](site|dist)-packages[\\/]")
_CELL = re.compile(r"<(stdin|ipython|python-input)")
"""Code that a person types has no file, but a name."""


@functools.cache
def is_own(filename: str) -> bool:
    """Return whether code in `filename` is the person's: neither installed, nor made by a program, nor ours."""
    if filename.startswith("<"):
        return _CELL.match(filename) is not None
    return recorder.is_persons_by_default(filename) and not _INSTALLED.search(filename)


@contextmanager
def recorded(*, values: bool = False) -> Iterator[Recording]:
    """Record what the block does with keys, and watch its `values`; wait for its callbacks."""
    with ExitStack() as stack:
        recording = stack.enter_context(recorder.recorded(Files(is_own)))
        if values:
            log = stack.enter_context(value_watch.watched(recording.is_persons, recorder.Hook(recording.log)))
            recording.has_ended, recording.others = log.is_kept, lambda: value_findings(log)
        try:
            yield recording
        finally:
            recording.has_ended()
        jax.effects_barrier()


def unrecorded() -> Recording:
    """Return the recording of a program that never imported jax."""
    recording = Recording(is_persons=Files(is_own))
    recording.log.notes.add("The program did not import jax, so there was nothing to record.")
    return recording


def report(name: str, recording: Recording, *, keys_go_on: bool = False) -> Report:
    """Return what was recorded of the program `name`; `recording.error` is what it raised.

    With `keys_go_on` the program goes on after the recording: a key that was not used may be used later.
    """
    known = key_graph.key_lineage(recording)
    found = findings.find(known, to_its_end=recording.error is None)
    if keys_go_on:
        found = tuple(finding for finding in found if finding.kind != "unused-key")
    found = tuple(sorted((*found, *recording.others()), key=lambda each: LEVELS.index(each.level)))
    failure = _failure(recording) if recording.error is not None else None
    return Report(name, _status(recording.error), failure, keys=key_graph.key_graph(known), findings=found)


def _status(error: BaseException | None) -> Status:
    if isinstance(error, KeyboardInterrupt):
        return "stopped"
    return "ok" if error is None else "error"


def _failure(recording: Recording) -> Failure:
    error = recording.error
    assert error is not None
    failure = errors.failure(error, recording.is_persons)
    if isinstance(error, SystemExit):
        # A program that runs by itself may quit: there is nothing to mend.
        return msgspec.structs.replace(failure, explanation="")
    if isinstance(error, SyntaxError) and failure.span is not None:
        span = msgspec.structs.replace(failure.span, file=error.filename or "")
        failure = msgspec.structs.replace(failure, span=span)
    return failure
