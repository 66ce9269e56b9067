"""A variant in the scenario's original code, run once and cached (`OriginalRun`); the worker's `WorkerCache`."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from explorer.messages import Failure, Report, Request, Snapshot, original_name
from explorer.messages.aligned import aligned
from explorer.text.text import say
from explorer.worker.code.names import NameAnswers
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import side_effects
from explorer.worker.runs.values import ValueAnswers

Analyse = Callable[[Request, Channel], Snapshot]


class OriginalRun:
    """Runs the original code once and caches the report: it stays the same while a user edits."""

    def __init__(self) -> None:
        self._asked = b""
        self._report: Report | None = None

    def begun(self, request: Request) -> Report:
        """Return the cached report, or an empty one; nothing runs."""
        if self._report is None or msgspec.msgpack.encode(_request(request)) != self._asked:
            return Report(original_name(request.variants[0]))
        return aligned(self._report, request.original, request.source)

    def ran(self, request: Request, channel: Channel, analyse: Analyse) -> Report:
        """Return the complete report. Raises Stopped when the run is cancelled."""
        own = _request(request)
        # The original's output and side effects are not those of the code in the editor.
        name = own.variants[0]
        try:
            with channel.printed.aside(), side_effects.rerun(set()):
                snapshot = analyse(own, replace(channel, send=lambda _message: None))
            report = snapshot.report(name) or Report(name, status="error", failure=snapshot.failure or _lacking(name))
        except side_effects.NotRunAgain as error:
            report = Report(name, status="error", failure=Failure("NotRunAgain", error.text))
        self._asked, self._report = msgspec.msgpack.encode(own), report
        return aligned(report, request.original, request.source)


def _lacking(name: str) -> Failure:
    """Return the failure of an original without anything to run."""
    return Failure("BadProgram", say("There is no function named {variant} in this code.", variant=name))


def _request(request: Request) -> Request:
    """Return the request for the original alone, with the parameters that it has."""
    return msgspec.structs.replace(
        request,
        run=0,
        source=request.original,
        original="",
        filename=f"{request.filename} as it was",
        variants=request.variants[:1],
        original_parameters={},
        parameters=request.original_parameters,
        traces=False,
        fixes=False,
        finding_fixes=False,
    )


class WorkerCache(msgspec.Struct, frozen=True):
    """The source of answers to later questions; empty at first."""

    values: ValueAnswers = msgspec.field(default_factory=ValueAnswers)
    """The last program, for questions about its equations."""
    as_it_was: OriginalRun = msgspec.field(default_factory=OriginalRun)
    """The report on the original code."""
    names: NameAnswers | None = None
    """The names of the last loaded program, for the editor; None without an editor."""
