"""A variant in the scenario's original code, run once and cached (`OriginalRun`); the worker's `WorkerCache`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from explorer.messages import Equation, Failure, Program, Report, Request, Site, Snapshot, Span, original_name
from explorer.text.text import say
from explorer.worker.code.names import NameAnswers
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import side_effects
from explorer.worker.runs.values import ValueAnswers

Analyse = Callable[[Request, Channel], Snapshot]
Lines = Mapping[int, int]
Placed = TypeVar("Placed", Equation, Site)


class OriginalRun:
    """Runs the original code once and caches the report: it stays the same while a user edits."""

    def __init__(self) -> None:
        self._asked = b""
        self._report: Report | None = None

    def begun(self, request: Request) -> Report:
        """Return the cached report, or an empty one; nothing runs."""
        if self._report is None or msgspec.msgpack.encode(_request(request)) != self._asked:
            return Report(original_name(request.variants[0]))
        return _aligned(self._report, request.original, request.source)

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
        return _aligned(report, request.original, request.source)


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


# -- lines of the code in the editor ----------------------------------------------------------------------------------


def _aligned(report: Report, original: str, source: str) -> Report:
    """Return the `report` of `original` under a name of its own, with lines mapped to the code in the editor, `source`.

    Its findings and failure are about other code, so they lose their spans.
    """
    lines = _lines_now(original, source)
    failure, findings, keys = report.failure, report.findings, report.keys
    return msgspec.structs.replace(
        report,
        name=original_name(report.name),
        program=_program(report.program, lines) if report.program else None,
        failure=msgspec.structs.replace(failure, span=None) if failure else None,
        findings=tuple(msgspec.structs.replace(each, spans=(), places=()) for each in findings)
        if findings
        else findings,
        keys=msgspec.structs.replace(keys, sites=tuple(_moved(each, lines) for each in keys.sites)) if keys else None,
    )


def _lines_now(original: str, source: str) -> Lines:
    """Return the line in `source` of each line of `original` that it still contains, both from 1."""
    matcher = SequenceMatcher(None, original.splitlines(), source.splitlines(), autojunk=False)
    blocks = matcher.get_matching_blocks()
    return {block.a + row: block.b + row for block in blocks for row in range(1, block.size + 1)}


def _program(program: Program, lines: Lines) -> Program:
    return msgspec.structs.replace(
        program,
        equations=tuple(_moved(each, lines) for each in program.equations),
        lines=tuple(lines.get(line, 0) for line in program.lines),
        line_types={lines[line]: types for line, types in program.line_types.items() if line in lines},
    )


def _moved(placed: Placed, lines: Lines) -> Placed:
    return msgspec.structs.replace(placed, span=_span(placed.span, lines))


def _span(span: Span | None, lines: Lines) -> Span | None:
    if span is None or span.line not in lines:
        return None
    moved = lines[span.line] - span.line
    return msgspec.structs.replace(span, line=span.line + moved, end_line=span.end_line + moved)


class WorkerCache(msgspec.Struct, frozen=True):
    """The source of answers to later questions; empty at first."""

    values: ValueAnswers = msgspec.field(default_factory=ValueAnswers)
    """The last program, for questions about its equations."""
    as_it_was: OriginalRun = msgspec.field(default_factory=OriginalRun)
    """The report on the original code."""
    names: NameAnswers | None = None
    """The names of the last loaded program, for the editor; None without an editor."""
