"""A recording as one HTML page: without network, for a browser of any size, and for paper."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

import resources
from explorer.commands.findings_report import PLACE_LABELS
from explorer.diagnostics.registry import checks
from explorer.figures import array_rows, call_curves
from explorer.figures.forest import drawing
from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.key_sentences import KeySentences
from explorer.figures.forest.style import style
from explorer.figures.line_types import line_type_words
from explorer.messages import LEVELS, Finding, Level
from explorer.messages.recorded_run import RecordedRun
from explorer.text.html import Html, html, tag, with_code
from explorer.text.text import Text, chosen_language, say


def in_key_words(text: str) -> str:
    """Return a text of the Keys pane in the language of the process."""
    return QCoreApplication.translate("KeySentences", text)


_SEQUENCES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
"""Colours, movements of the cursor, links: ECMA-48, section 5."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def as_plain_text(text: str) -> str:
    """Return `text` without colours and control characters; a line that was written again has its last form."""
    lines = _SEQUENCES.sub("", text).split("\n")
    return _CONTROLS.sub("", "\n".join([line.rstrip("\r").rpartition("\r")[2] for line in lines]))


LEVEL_NAMES: dict[Level, Text] = {"bug": say("Bug"), "warning": say("Warning"), "note": say("Note")}
_PLACE_LABELS = PLACE_LABELS | {"spent": say("used here")}
"""A line may be one of draws and of splits."""
MOST_LINES = 5000
"""The most lines of code that are shown."""


def page(run: RecordedRun) -> str:
    """Return `run` as an HTML document in the chosen language; its policy allows its own style alone."""
    head = (
        Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html("""<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">"""),
        tag("title", str(say("{program}, recorded", program=run.about.program))),
        tag("style", Html((Path(resources.__file__).parent / "recording" / "page.css").read_text(encoding="utf-8"))),
        Html(style()),
    )
    whole = tag("html", tag("head", *head), tag("body", tag("main", *_pieces(run))), lang=chosen_language())
    return f"<!doctype html>\n{whole}\n"


def _heading(words: Text) -> Html:
    return tag("h2", str(words))


def _line(number: int) -> Text:
    return say("line {line}", line=number)


def _pieces(run: RecordedRun) -> Iterator[Html]:
    about, report = run.about, run.report
    lines = run.source.rstrip("\n").split("\n") if run.source else []
    when = about.ended.replace("T", " ").replace("+00:00", " UTC")
    yield tag("h1", about.program)
    yield tag("p", str(say("Recorded {when}, {where}", when=when, where=about.where)), class_="dim")
    yield tag("p", *_coverage(run))
    for words in about.left_out:
        yield tag("p", str(words), class_="dim")
    yield _heading(say("Findings"))
    yield tag("ol", *_findings(run), class_="findings")
    if report.keys is not None and report.keys.nodes:
        yield _heading(say("Keys"))
        stopped = f", {say('until it stopped')}" if report.status != "ok" else ""
        yield tag("p", KeySentences(KeyIndex(report.keys), in_key_words).verdict, stopped)
        for note in report.keys.notes:
            yield tag("p", str(note), class_="dim")
        yield tag("div", Html(drawing.tree(report.keys, in_key_words)), class_="jaxk picture", tabindex="0")
        yield tag("div", Html(drawing.legend(report.keys, in_key_words)), class_="jaxk dim")
    pictures = tuple(filter(array_rows.tells, report.pictures or ()))
    if pictures:
        yield _heading(say("Noise"))
        yield tag("div", *map(array_rows.figure, pictures), class_="jaxk rows")
    if report.calls:
        yield _heading(say("Curves"))
        yield tag("div", *_curves(run, len(lines[:MOST_LINES])), class_="jaxk rows")
    if lines:
        yield _heading(say("Code"))
        yield tag("ol", *_code(run, lines[:MOST_LINES]), class_="code")
    if len(lines) > MOST_LINES:
        yield tag("p", str(say("and {count:,} more lines", count=len(lines) - MOST_LINES)), class_="dim")
    if output := as_plain_text(report.printed).strip():
        yield _heading(say("Output"))
        yield tag("pre", output, tabindex="0", role="region", aria_label=str(say("Output")))


def _coverage(run: RecordedRun) -> Iterator[Html]:
    for number, each in enumerate(run.report.coverage):
        yield html(" · " if number else "", tag("span", each.words, class_="bug" if each.worst == "bug" else None))


def _findings(run: RecordedRun) -> Iterator[Html]:
    report = run.report
    if (failure := report.failure) is not None:
        words = html(tag("b", str(say("Error")), class_="error"), " ", tag("span", with_code(str(failure.words))))
        why = tag("div", with_code(str(failure.explanation)), class_="dim"), tag("pre", failure.drawing, tabindex="0")
        yield tag("li", tag("div", words), *_lines([failure.shown_line]), *why, class_="error")
    found = [(each.level, _finding(each)) for each in report.findings or ()]
    found += [("warning", each) for each in _bad_calls(run)]
    yield from (item for _, item in sorted(found, key=lambda pair: LEVELS.index(pair[0])))
    if failure is None and not found:
        yield tag("li", str(say("None in what was checked.")))


def _finding(found: Finding) -> Html:
    times = f" {say('({count} times)', count=found.repeated)}" if found.repeated else ""
    name = checks()[found.kind].name if found.kind in checks() else found.kind
    words = _levelled(found.level, html(with_code(str(found.message)), times))
    about = tag("div", "; ".join([str(name), *_elsewhere(found)]), class_="dim")
    return tag("li", tag("div", words), *_lines(sorted(found.lines)), about, class_=found.level)


def _bad_calls(run: RecordedRun) -> Iterator[Html]:
    """Yield an item for each function that returned NaN or infinity."""
    for each in run.report.calls:
        if words := str(call_curves.bad_words(each)):
            lines = [line if line <= MOST_LINES else 0 for line in (each.cause_line, each.span.shown_line)]
            said = tag("div", _levelled("warning", html(with_code(words))))
            yield tag("li", said, *_lines(lines), class_="warning")


def _levelled(level: Level, words: Html) -> Html:
    return html(tag("b", str(LEVEL_NAMES[level]), class_=level), " ", tag("span", words))


def _curves(run: RecordedRun, lines: int) -> Iterator[Html]:
    """Yield the curves of each call, with a link to its line where that is one of the first `lines`."""
    for each in run.report.calls:
        line = each.span.shown_line if each.span.shown_line <= lines else 0
        where = _lines([line]) if line else (f"{each.span.file} {_line(each.span.line)}".lstrip(),)
        yield tag("div", call_curves.figure(each), *where)


def _lines(lines: Sequence[int]) -> Iterator[Html]:
    for line in filter(None, lines):
        yield html(tag("a", str(_line(line)), href=f"#L{line}"), " ")


def _elsewhere(finding: Finding) -> Iterator[str]:
    """Yield a place of `finding` in each other file."""
    for file, span in {span.file: span for span in finding.all_spans if span.file}.items():
        yield f"{file}, {_line(span.line)}"


def _code(run: RecordedRun, lines: Sequence[str]) -> Iterator[Html]:
    labels: dict[int, list[str]] = defaultdict(list)
    for each in run.report.findings or ():
        for found in each.places:
            labels[found.span.shown_line].append(str(_PLACE_LABELS[found.role]))
    marked = {line for each in run.report.findings or () for line in each.lines}
    types = line_type_words([run.report])
    for number, line in enumerate(lines, 1):
        words = ", ".join(dict.fromkeys(labels.get(number, ())))
        yield tag(
            "li",
            line,
            tag("span", f"  {types[number]}", class_="types") if number in types else Html(),
            tag("span", f"  {words}", class_="bug") if words else Html(),
            id=f"L{number}",
            class_="marked" if number in marked else None,
        )
