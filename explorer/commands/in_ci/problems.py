"""Findings and errors as problems of files, as GitHub's workflow commands, and as SARIF 2.1.0."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from explorer.commands.code_excerpts import CODE
from explorer.commands.findings_report import marks
from explorer.commands.repository import relative
from explorer.diagnostics.registry import checks
from explorer.library import notebook
from explorer.messages import LEVELS, Failure, Level, Report, Span, unmarked
from explorer.text.text import sentences

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
SARIF_LEVELS = {"bug": "error", "warning": "warning", "note": "note"}
ROOT = "%SRCROOT%"
ERROR_RULE = "program-error"
"""The rule of all errors that end a program."""
OTHERS = {"lesson": "A lesson has other findings than it expects.", ERROR_RULE: "The program ended with an error."}
"""The descriptions of rules that are no checks, by their id."""


def log(problems: Iterable[FileProblem], root: Path, *, tool: str) -> dict[str, Any]:
    """Return the log of one run of the version `tool`, paths from `root`."""
    listed = list(problems)
    results = [_result(each, root) for each in listed]
    rules = list(dict.fromkeys(each["ruleId"] for each in results))
    for each in results:
        each["ruleIndex"] = rules.index(each["ruleId"])
    driver = {"name": "jax-explorer", "version": tool, "rules": [_rule(each) for each in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not any(each.is_error for each in listed)}],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _rule(name: str) -> dict[str, Any]:
    check = checks().get(name)
    about = check.summary if check else OTHERS.get(name, name)
    return {"id": name, "shortDescription": {"text": about}}


def _result(problem: FileProblem, root: Path) -> dict[str, Any]:
    rule = ERROR_RULE if problem.is_error else problem.kind
    message = problem.message
    if problem.lesson:
        message += f" See the lesson: jax-explorer open {problem.lesson}."
    found: dict[str, Any] = {"ruleId": rule, "level": SARIF_LEVELS[problem.level], "message": {"text": message}}
    # GitHub shows only what has a place, if it be the first line of the file.
    found["locations"] = [_location(each, root) for each in problem.places[:1]]
    if others := problem.places[1:]:
        found["relatedLocations"] = [
            {"id": number, **_location(each, root), "message": {"text": each.words or "and here"}}
            for number, each in enumerate(others, 1)
        ]
    identity = (rule, message, [(relative(each.file, root), each.span) for each in problem.places])
    found["partialFingerprints"] = {
        "place/v1": hashlib.sha256(repr(identity).encode("utf-8", "replace")).hexdigest()[:32]
    }
    return found


def _location(place: LabelledSpan, root: Path) -> dict[str, Any]:
    path = relative(place.file, root)
    is_below = not Path(path).is_absolute()
    uri = quote(path.encode("utf-8", "surrogateescape")) if is_below else Path(path).as_uri()
    artifact = {"uri": uri, "uriBaseId": ROOT} if is_below else {"uri": uri}
    return {"physicalLocation": {"artifactLocation": artifact, "region": _region(place)}}


def _region(place: LabelledSpan) -> dict[str, int]:
    if (span := place.span) is None:
        return {"startLine": 1}
    region = {"startLine": max(span.line, 1), "startColumn": span.column + 1}
    if span.end_line > span.line or span.end_column > span.column:
        region |= {"endLine": span.end_line, "endColumn": span.end_column + 1}
    return region


if TYPE_CHECKING:
    from explorer.commands.check import CheckResult
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


def of_check(scenario: Scenario, checked: CheckResult) -> tuple[FileProblem, ...]:
    """Return the problems of a check, each once though several variants have it; of a lesson those not expected."""
    found = _of_check(scenario, checked)
    if not notebook.is_notebook(scenario.path):
        return found
    lines = scenario.source.split("\n")
    return tuple(_in_cell(each, scenario.path, lines) for each in found)


def _of_check(scenario: Scenario, checked: CheckResult) -> tuple[FileProblem, ...]:
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
