"""Findings and errors as problems of files, and as GitHub's workflow commands, which put them on the lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from explorer.commands.findings_report import marks
from explorer.commands.quotes import CODE
from explorer.commands.repository import relative
from explorer.library import notebook
from explorer.messages import LEVELS, Failure, Level, Report, Span, unmarked
from explorer.text.text import sentences

if TYPE_CHECKING:
    from explorer.commands.check import CheckedVariants
    from explorer.scenario.scenario import Scenario


class LabelledSpan(NamedTuple):
    """A span of a file with a label; without a span it is the whole file."""

    file: str
    span: Span | None
    words: str = ""


class FileProblem(NamedTuple):
    """One finding, or one error that ended a program."""

    kind: str
    level: Level
    message: str
    places: tuple[LabelledSpan, ...] = ()
    """The location to show it at comes first; empty where none is known."""
    lesson: str = ""
    is_error: bool = False
    """Whether it is an error of the program, and no finding."""


def of_report(report: Report, file: str = "") -> Iterator[FileProblem]:
    """Yield the problems of one program; locations without a file are in `file`."""
    if report.failure is not None:
        yield of_failure(report.failure, file)
    for finding in sorted(report.findings or (), key=lambda each: LEVELS.index(each.level)):
        places = tuple(
            LabelledSpan(mark.span.file or file, mark.span, str(mark.label)) for mark in marks(finding, CODE)
        )
        places = places or ((LabelledSpan(file, None),) if file else ())
        yield FileProblem(finding.kind, finding.level, unmarked(finding.message), places, finding.lesson)


def of_failure(failure: Failure, file: str = "") -> FileProblem:
    """Return the error that ended a program."""
    where = (failure.span.file if failure.span else "") or file
    message = unmarked(sentences(failure.words, failure.explanation))
    return FileProblem(
        failure.type, "bug", message, (LabelledSpan(where, failure.span),) if where else (), is_error=True
    )


def of_check(scenario: Scenario, checked: CheckedVariants) -> tuple[FileProblem, ...]:
    """Return the problems of a check, each once though several variants have it.

    A lesson has those that it does not expect, in the words of its complaints.
    """
    found = _of_check(scenario, checked)
    if not notebook.is_notebook(scenario.path):
        return found
    lines = scenario.source.split("\n")
    return tuple(_in_cell(each, scenario.path, lines) for each in found)


def _of_check(scenario: Scenario, checked: CheckedVariants) -> tuple[FileProblem, ...]:
    file = scenario.path
    if checked.snapshot.failure is not None:
        return (of_failure(checked.snapshot.failure, file),)
    if scenario.variants:
        return tuple(FileProblem("lesson", "bug", each, (LabelledSpan(file, None),)) for each in checked.complaints)
    return tuple(dict.fromkeys(each for report in checked.snapshot.reports for each in of_report(report, file)))


def _in_cell(problem: FileProblem, file: str, lines: Sequence[str]) -> FileProblem:
    """Return a `problem` of a notebook's copy with these `lines` as one of the notebook in `file`."""
    span = problem.places[0].span if problem.places else None
    cell = notebook.in_cell(lines, span.line) if span is not None else ""
    words = _LINE.sub(lambda found: f"in {notebook.in_cell(lines, int(found[1]))}", problem.message)
    return problem._replace(
        message=f"{cell.capitalize()}: {words}" if cell else words, places=(LabelledSpan(file, None),)
    )


_LINE = re.compile(r"\bon line (\d+)")
COMMANDS = {"bug": "error", "warning": "warning", "note": "notice"}


def github_text(problems: Iterable[FileProblem], root: Path) -> str:
    """Return a line for each problem, paths from `root`."""
    return "".join(f"{_line(each, root)}\n" for each in problems)


def _line(problem: FileProblem, root: Path) -> str:
    properties = [f"{name}={_escaped(value, in_property=True)}" for name, value in _properties(problem, root)]
    others = [f"{each.words or 'and'}: {_where(each, root)}" for each in problem.places[1:] if each.span]
    lesson = [f"lesson: jax-explorer open {problem.lesson}"] * bool(problem.lesson)
    message = _escaped("\n".join([problem.message, *others, *lesson]))
    return f"::{COMMANDS[problem.level]} {','.join(properties)}::{message}"


def _properties(problem: FileProblem, root: Path) -> Iterator[tuple[str, str]]:
    for place in problem.places[:1]:
        yield "file", relative(place.file, root)
        if (span := place.span) is not None:
            yield "line", str(span.line)
            yield "endLine", str(max(span.line, span.end_line))
            if span.line == span.end_line:
                # Columns are of one line alone.
                yield "col", str(span.column + 1)
                yield "endColumn", str(max(span.column, span.end_column) + 1)
    yield "title", problem.kind


def _where(place: LabelledSpan, root: Path) -> str:
    return f"{relative(place.file, root)}:{place.span.line}" if place.span else relative(place.file, root)


def _escaped(words: str, *, in_property: bool = False) -> str:
    """Return `words` escaped, so that they do not end their command or property."""
    words = words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return words.replace(":", "%3A").replace(",", "%2C") if in_property else words
