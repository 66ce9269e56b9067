"""The report of other code, such as the original, with its lines mapped to the code in the editor."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import TypeVar

import msgspec

from explorer.messages import Equation, Program, Report, Site, Span, original_name

Lines = Mapping[int, int]
Placed = TypeVar("Placed", Equation, Site)


def aligned(report: Report, original: str, source: str) -> Report:
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
