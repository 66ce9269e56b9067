"""The report of findings as text: sentences, quoted code, advice; ``marks``, the labelled places of a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from explorer.commands.code_excerpts import BOLD, CYAN, GREEN, RED, YELLOW, MarkedSpan, Pen, Sources, gutter, quote
from explorer.diagnostics.registry import checks
from explorer.figures import call_curves
from explorer.messages import (
    LEVELS,
    PARTS,
    TOP_LEVEL,
    Calls,
    Coverage,
    Failure,
    Finding,
    JaxChecker,
    Level,
    Report,
    Span,
)
from explorer.text.text import Text, say

# They bring lessons and the worker's pipe, and `run` needs neither.
if TYPE_CHECKING:
    from explorer.commands.check import CheckResult
    from explorer.scenario.scenario import Scenario

MAX_SHOWN = 50
"""The most findings of one program that are quoted; the rest are counted."""
PLACE_LABELS = {
    "drawn": say("drawn here"),
    "spent": say("drawn here"),
    "shared": say("shared from here"),
    "passed": say("passed here"),
    "made": say("made here"),
}
"""The label of a place in the code, by its role for the key."""
QUITE_NORMAL = ("SystemExit", "KeyboardInterrupt")
"""Exceptions that are shown without our own explanation."""


def text(scenario: Scenario, checked: CheckResult, *, colour: bool) -> str:
    """Return the result of a check as text of several lines, with ANSI colours when `colour` is true."""
    pen = Pen(colour)
    source = scenario.source.splitlines()
    where = scenario.path if scenario.origin == "file" else scenario.id
    code = Sources(lambda _file: source, lambda _file: where)
    snapshot = checked.snapshot
    if snapshot.failure is not None:
        return "\n".join(_failure(snapshot.failure, code, pen))
    lines: list[str] = []
    for report in snapshot.reports:
        name = where.replace("\\", "/").rpartition("/")[2] if report.name == TOP_LEVEL else report.name
        lines += [f"{pen.paint(name, BOLD)}: {_verdict(report, pen)}{_counts(report)}", ""]
        if report.failure is not None and not _is_error(report):
            # A program that is run has printed this itself; a variant that quits has no result.
            lines += [*_failure(report.failure, code, pen), ""]
        lines += _body(report, code, pen, opened=scenario.id)
    return "\n".join([*lines, _summary(snapshot.reports, checked, scenario)])


def report_text(report: Report, code: Sources, *, colour: bool) -> str:
    """Return the findings of one program as text; the last line names the checks, with counts."""
    pen = Pen(colour)
    return "\n".join([*_body(report, code, pen), f"{_verdict(report, pen)}{_counts(report)}"])


def body_text(report: Report, code: Sources) -> str:
    """Return the findings of one program as text, without the line of counts; empty where there are none."""
    return "\n".join(_body(report, code, Pen(colour=False))).rstrip()


# -- one program ------------------------------------------------------------------------------


def _body(report: Report, code: Sources, pen: Pen, opened: str = "") -> Iterator[str]:
    """Yield the lines on errors and findings, an empty line after each; other lessons than `opened` are named once."""
    named = {"", opened}
    if report.failure is not None and _is_error(report):
        yield from (*_failure(report.failure, code, pen), "")
    found = sorted(report.findings or (), key=lambda each: LEVELS.index(each.level))
    for finding in found[:MAX_SHOWN]:
        yield from _finding(finding, code, pen)
        if finding.lesson not in named:
            named.add(finding.lesson)
            yield _under(marks(finding, code), "lesson", f"jax-explorer open {finding.lesson}", pen)
        yield ""
    if len(found) > MAX_SHOWN:
        yield from (f"... and {counted(len(found) - MAX_SHOWN, 'more finding')}", "")
    for calls in report.calls:
        yield from _bad_calls(calls, code, pen)
    for note in report.keys.notes if report.keys else ():
        yield from (f"{pen.paint('note', YELLOW)}: {note}", "")
    if report.jax_checker is not None:
        yield from (*_jax_checker(report.jax_checker, pen), "")


def _finding(finding: Finding, code: Sources, pen: Pen) -> Iterator[str]:
    colour = RED if finding.level == "bug" else YELLOW
    headline, _, rest = str(finding.message).partition(". ")
    times = f" ({finding.repeated} times)" if finding.repeated else ""
    head = pen.paint(f"{finding.level}[{finding.kind}]", colour)
    yield f"{head}: {pen.paint(headline.rstrip('.'), BOLD)}{times}"
    places = marks(finding, code)
    yield from quote(places, code, pen, colour)
    if rest:
        yield _under(places, "help", rest, pen)


def _bad_calls(calls: Calls, code: Sources, pen: Pen) -> Iterator[str]:
    """Yield the first call that returned NaN or infinity, and the line that made it; nothing without."""
    headline, _, rest = str(call_curves.bad_words(calls)).partition(". ")
    if not headline:
        return
    yield f"{pen.paint('warning', YELLOW)}: {pen.paint(headline.rstrip('.'), BOLD)}"
    span = calls.cause.span if calls.cause is not None else None
    places = [MarkedSpan(span, checks()["nan"].labels[0])] if span is not None else []
    yield from quote([*places, MarkedSpan(calls.span, "called here")], code, pen, YELLOW)
    if rest:
        yield _under([*places, MarkedSpan(calls.span)], "help", rest, pen)
    yield ""


def marks(finding: Finding, code: Sources) -> Sequence[MarkedSpan]:
    """Return the places of `finding` with their labels, the main place first."""
    if finding.places:
        return _marked_places(finding, code)
    spans, check = finding.spans, checks().get(finding.kind)
    labels = check.labels if check else ()
    if len(spans) > 1 and len(set(spans)) == 1:
        return [MarkedSpan(spans[0], check.one_place if check else "")]
    return [MarkedSpan(span, label) for span, label in zip(spans, [*labels, *[""] * len(spans)], strict=False)]


def _marked_places(finding: Finding, code: Sources) -> list[MarkedSpan]:
    """Return the marks of the uses of a key, its consuming use first."""
    spans = {role: [place.span for place in finding.places if place.role == role] for role in PLACE_LABELS}
    spent, shared = spans["spent"], spans["shared"]
    if len(spent) == 1 and (finding.kind == "key-reuse" or spent == shared):
        marks = [MarkedSpan(spent[0], checks()[finding.kind].one_place)]
    elif finding.kind == "key-reuse":
        marks = [MarkedSpan(span, label) for span, label in zip(spent, checks()[finding.kind].labels, strict=False)]
    else:
        marks = [MarkedSpan(span, PLACE_LABELS["spent"]) for span in spent]
    marks = [*(MarkedSpan(span, PLACE_LABELS["drawn"]) for span in spans["drawn"]), *marks]
    marks += [MarkedSpan(span, PLACE_LABELS["shared"]) for span in shared if span not in spent]
    # What a call without arguments does with a key it knows from elsewhere.
    marks += [
        MarkedSpan(span, "called here" if _is_bare(span, code) else PLACE_LABELS["passed"]) for span in spans["passed"]
    ]
    return marks + [MarkedSpan(span, PLACE_LABELS["made"]) for span in spans["made"] if span not in spent]


def _is_bare(span: Span, code: Sources) -> bool:
    lines = code.lines(span.file)
    return span.line == span.end_line <= len(lines) and lines[span.line - 1][: span.end_column].endswith("()")


def _failure(failure: Failure, code: Sources, pen: Pen) -> Iterator[str]:
    headline, *rest = str(failure.message).splitlines() or [""]
    yield f"{pen.paint(f'error[{failure.type}]', RED)}: {pen.paint(headline, BOLD)}"
    marks = [MarkedSpan(failure.span)] if failure.span else []
    yield from quote(marks, code, pen, RED)
    for line in rest:
        yield f"{gutter(marks)} = {line}"
    if failure.explanation:
        yield _under(marks, "help", failure.explanation, pen)


def _jax_checker(answers: JaxChecker, pen: Pen) -> Iterator[str]:
    yield f"{pen.paint('jax', CYAN)}: {answers.comparison}"
    yield f"  = static check: {answers.static.text}"
    yield f"  = check of a run: {answers.runtime.text}"


def _under(marks: Sequence[MarkedSpan], title: str, words: Text | str, pen: Pen) -> str:
    return f"{gutter(marks)} = {pen.paint(title, CYAN)}: {words}"


# -- counting ---------------------------------------------------------------------------------


def _verdict(report: Report, pen: Pen) -> str:
    """Return the error that ended the program, if any, and the result of each check."""
    failure = [pen.paint(report.failure.type, RED)] if report.failure is not None and _is_error(report) else []
    return " · ".join([*failure, *(pen.paint(look.words, _colour(look)) for look in report.coverage)])


def _colour(look: Coverage) -> str:
    if look.is_clean:
        return GREEN
    return RED if look.worst == "bug" else YELLOW


def _counts(report: Report) -> str:
    graph = report.keys
    return f" ({counted(graph.nodes, 'key')}, {counted(graph.draws, 'draw')})" if graph and graph.nodes else ""


def _summary(reports: Sequence[Report], checked: CheckResult, scenario: Scenario) -> str:
    """Return the counts of all variants, and without a bug the checks that all variants had."""
    expected = ", as the scenario expects" if scenario.variants and checked.exit_code == 0 else ""
    failures = sum(report.failure is not None for report in reports)
    counts = [counted(failures, "error")] * bool(failures)
    for level in LEVELS:
        found = sum(_at(level, report) for report in reports)
        counts += [counted(found, level)] * bool(found)
    variants = counted(len(reports), "variant")
    whole = f"{', '.join(counts)} in {variants}" if counts else variants
    if any(_at("bug", report) for report in reports):
        return f"{whole}{expected}"
    checked_parts = [{look.part for look in report.coverage if look.was_taken} for report in reports]
    parts = [part for part in PARTS if all(part in each for each in checked_parts)]
    return f"{whole}{'; ' if counts else ': '}no bug in {_listed(parts)}{expected}" if parts else f"{whole}{expected}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _is_error(report: Report) -> bool:
    return report.failure is not None and report.failure.type not in QUITE_NORMAL


def _at(level: Level, report: Report) -> int:
    return sum(finding.level == level for finding in report.findings or ())


def counted(number: int, word: str) -> str:
    """Return a number of things: ``1 bug``, ``2 bugs``."""
    return f"{number:,} {word}" + ("" if number == 1 else "s")
