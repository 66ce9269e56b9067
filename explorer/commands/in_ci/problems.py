"""Problems of a program for a code review: a location, a message, and related locations."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from explorer.commands.findings_report import marks
from explorer.commands.quotes import CODE
from explorer.messages import LEVELS, Failure, Level, Report, Span, unmarked
from explorer.text.text import sentences

if TYPE_CHECKING:
    from explorer.commands.check import Checked
    from explorer.scenario.scenario import Scenario


class Place(NamedTuple):
    """A span of a file with a label; without a span it is the whole file."""

    file: str
    span: Span | None
    words: str = ""


class Problem(NamedTuple):
    """One finding, or one error that ended a program."""

    kind: str
    level: Level
    message: str
    places: tuple[Place, ...] = ()
    """The location to show it at comes first; empty where none is known."""
    lesson: str = ""
    is_error: bool = False
    """Whether it is an error of the program, and no finding."""


def fingerprint(identity: tuple[object, ...]) -> str:
    """Return a short text that is the same for equal facts, in every process."""
    return hashlib.sha256(repr(identity).encode("utf-8", "replace")).hexdigest()[:32]


def of_report(report: Report, file: str = "") -> Iterator[Problem]:
    """Yield the problems of one program; locations without a file are in `file`."""
    if report.failure is not None:
        yield of_failure(report.failure, file)
    for finding in sorted(report.findings or (), key=lambda each: LEVELS.index(each.level)):
        places = tuple(Place(mark.span.file or file, mark.span, str(mark.label)) for mark in marks(finding, CODE))
        places = places or ((Place(file, None),) if file else ())
        yield Problem(finding.kind, finding.level, unmarked(finding.message), places, finding.lesson)


def of_failure(failure: Failure, file: str = "") -> Problem:
    """Return the error that ended a program."""
    where = (failure.span.file if failure.span else "") or file
    message = unmarked(sentences(failure.words, failure.explanation))
    return Problem(failure.type, "bug", message, (Place(where, failure.span),) if where else (), is_error=True)


def of_check(scenario: Scenario, checked: Checked) -> tuple[Problem, ...]:
    """Return the problems of a check, each once though several variants have it.

    A lesson has those that it does not expect, in the words of its complaints.
    """
    file = scenario.path
    if checked.snapshot.failure is not None:
        return (of_failure(checked.snapshot.failure, file),)
    if scenario.variants:
        return tuple(Problem("lesson", "bug", each, (Place(file, None),)) for each in checked.complaints)
    return tuple(dict.fromkeys(each for report in checked.snapshot.reports for each in of_report(report, file)))
