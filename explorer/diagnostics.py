"""The result of a check for a person's eyes: each finding with its lines of code quoted and marked."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from explorer.check import Checked
from explorer.messages import Failure, Finding, Report, Span
from explorer.scenario import Scenario

BOLD, RED, YELLOW, GREEN, DIM, PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[2m", "\x1b[0m"


def text(scenario: Scenario, checked: Checked, *, colour: bool) -> str:
    """Return the report as text of several lines, with ANSI colours when `colour` is true."""
    pen = _Pen(scenario, colour)
    snapshot = checked.snapshot
    lines: list[str] = []
    if snapshot.failure is not None:
        lines += pen.failure(snapshot.failure)
    for report in snapshot.reports:
        lines += ["", pen.head(report)] if lines else [pen.head(report)]
        if report.failure is not None:
            lines += pen.failure(report.failure)
        for finding in sorted(report.findings or (), key=lambda each: each.level != "bug"):
            lines += pen.finding(finding)
    return "\n".join(lines)


class _Pen:
    def __init__(self, scenario: Scenario, colour: bool) -> None:
        self._code = scenario.source.splitlines()
        self._where = scenario.path if scenario.origin == "file" else scenario.id
        self._colour = colour

    def head(self, report: Report) -> str:
        bugs = sum(finding.level == "bug" for finding in report.findings or ())
        graph = report.keys
        counts = f"{_count(graph.nodes, 'key')}, {_count(graph.draws, 'draw')}" if graph else ""
        if report.failure is not None:
            verdict = self._paint(report.failure.type, RED)
        elif bugs:
            verdict = self._paint(_count(bugs, "bug"), RED)
        else:
            verdict = self._paint("no bug", GREEN)
        return f"{self._paint(report.name, BOLD)}: {verdict}" + (f" ({counts})" if counts else "")

    def finding(self, finding: Finding) -> list[str]:
        colour = RED if finding.level == "bug" else YELLOW
        times = f" ({finding.count} times)" if finding.count > 1 else ""
        lines = [f"  {self._paint(f'{finding.level}: {finding.kind}', colour)}{times}: {finding.message}"]
        lines += self._quote(finding.spans, colour)
        return lines

    def failure(self, failure: Failure) -> list[str]:
        lines = [f"  {self._paint(failure.type, RED)}: {failure.message}"]
        if failure.explanation:
            lines.append(f"  {failure.explanation}")
        return lines + list(self._quote((failure.span,) if failure.span else (), RED))

    def _quote(self, spans: tuple[Span, ...], colour: str) -> Iterator[str]:
        for number, span in enumerate(spans):
            if not 1 <= span.line <= len(self._code):
                continue
            place = f"{self._where}:{span.line}:{span.column + 1}"
            first = "first" if number == 0 else "then"
            yield self._paint(f"    {first + ' ' if len(spans) > 1 else ''}{place}", DIM)
            code = self._code[span.line - 1]
            yield f"    {self._paint(f'{span.line:4} |', DIM)} {code}"
            end = span.end_column if span.end_line == span.line else len(code)
            marks = " " * _cells(code[: span.column]) + "^" * max(1, _cells(code[span.column : end]))
            yield f"    {self._paint('     |', DIM)} {self._paint(marks, colour)}"

    def _paint(self, words: str, code: str) -> str:
        return f"{code}{words}{PLAIN}" if self._colour else words


def _cells(text: str) -> int:
    """Return how many cells of a terminal `text` takes; a Hangul syllable takes two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" + ("" if number == 1 else "s")
