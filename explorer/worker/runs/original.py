"""The selected variant in the scenario's original code, shown next to the edited one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import SequenceMatcher

import msgspec

from explorer.messages import Equation, Failure, Program, Report, Request, Site, Snapshot, Span, name_as_it_was
from explorer.text.text import say
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import outside

Analyse = Callable[[Request, Channel], Snapshot]
Lines = Mapping[int, int]


class AsItWas:
    """Runs the original code once and caches the report: it stays the same while a user edits."""

    def __init__(self) -> None:
        self._asked = b""
        self._report: Report | None = None

    def begun(self, request: Request) -> Report:
        """Return the cached report, or an empty one; nothing runs."""
        if self._report is None or msgspec.msgpack.encode(_request(request)) != self._asked:
            return Report(name_as_it_was(request.variants[0]))
        return _aligned(self._report, request)

    def ran(self, request: Request, channel: Channel, analyse: Analyse) -> Report:
        """Return the complete report. Raises Stopped when the run is cancelled."""
        own = _request(request)
        # The original's output and side effects are not those of the code in the editor.
        name = own.variants[0]
        try:
            with channel.printed.aside(), outside.rerun(set()):
                snapshot = analyse(own, replace(channel, send=_send_nothing))
            report = snapshot.report(name) or Report(name, status="error", failure=snapshot.failure or _lacking(name))
        except outside.NotRunAgain as error:
            report = Report(name, status="error", failure=Failure("NotRunAgain", error.text))
        self._asked, self._report = msgspec.msgpack.encode(own), report
        return _aligned(report, request)


def _send_nothing(_message: object) -> None:
    """Drop a message of the nested run, which is not for the window."""


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


def _aligned(report: Report, request: Request) -> Report:
    """Return `report` under its own name, with lines mapped to the code in the editor.

    Its findings and failure are about other code, so they lose their spans.
    """
    lines = _lines_now(request.original, request.source)
    failure, findings, keys = report.failure, report.findings, report.keys
    return msgspec.structs.replace(
        report,
        name=name_as_it_was(report.name),
        program=_program(report.program, lines) if report.program else None,
        failure=msgspec.structs.replace(failure, span=None) if failure else None,
        findings=tuple(msgspec.structs.replace(each, spans=(), places=()) for each in findings)
        if findings
        else findings,
        keys=msgspec.structs.replace(keys, sites=tuple(_site(each, lines) for each in keys.sites)) if keys else None,
    )


def _lines_now(original: str, source: str) -> Lines:
    """Return the line in `source` of each line of `original` that it still contains, both from 1."""
    matcher = SequenceMatcher(None, original.splitlines(), source.splitlines(), autojunk=False)
    blocks = matcher.get_matching_blocks()
    return {block.a + row: block.b + row for block in blocks for row in range(1, block.size + 1)}


def _program(program: Program, lines: Lines) -> Program:
    return msgspec.structs.replace(
        program,
        equations=tuple(_equation(each, lines) for each in program.equations),
        lines=tuple(lines.get(line, 0) for line in program.lines),
    )


def _equation(equation: Equation, lines: Lines) -> Equation:
    return msgspec.structs.replace(equation, span=_span(equation.span, lines))


def _site(site: Site, lines: Lines) -> Site:
    return msgspec.structs.replace(site, span=_span(site.span, lines))


def _span(span: Span | None, lines: Lines) -> Span | None:
    if span is None or span.line not in lines:
        return None
    moved = lines[span.line] - span.line
    return msgspec.structs.replace(span, line=span.line + moved, end_line=span.end_line + moved)
