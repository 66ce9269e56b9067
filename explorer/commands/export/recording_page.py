"""A recording as one HTML page: without network, for a browser of any size, and for paper."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
from PySide6.QtCore import QCoreApplication

import resources
from explorer.commands.findings_report import PLACE_LABELS
from explorer.diagnostics.registry import checks
from explorer.figures import array_rows, call_curves
from explorer.figures.forest import drawing
from explorer.figures.forest.listing import KeyListing
from explorer.figures.forest.style import style
from explorer.figures.line_types import line_type_words
from explorer.focus.resolve import resolve
from explorer.messages import LEVELS, TOP_LEVEL, Finding, Focus, Level, Marks, Picture
from explorer.messages.recorded_run import RecordedRun
from explorer.messages.selection import FocusKind
from explorer.text.html import Html, html, tag, with_code
from explorer.text.text import Text, chosen_language, say

LETTERS: dict[FocusKind, str] = {"finding": "f", "key": "k", "draw": "d", "row": "r", "line": "l"}
"""The first letter of a thing's name on the page; its number follows: ``k3``, ``l12``."""


def in_key_words(text: str) -> str:
    """Return a text of the Keys pane in the language of the process."""
    return QCoreApplication.translate("KeySentences", text)


class Links:
    """The things of `run` that are shown when its first `lines` lines are."""

    def __init__(self, run: RecordedRun, lines: int) -> None:
        report = run.report
        self._run, self._lines = run, lines
        self.pictures: tuple[Picture, ...] = tuple(filter(array_rows.tells, report.pictures or ()))
        named = {key for found in report.findings or () for key in found.keys}
        self.keys = (
            KeyListing(report.keys, named, in_key_words) if report.keys is not None and report.keys.nodes else None
        )

    def record(self) -> dict[str, tuple[str, str]]:
        """Return for each thing the sentence and the things that it lights: ``{"k1": ("Selected: …", "k1 l4-6")}``."""
        snapshot = self._run.snapshot
        marked = ((focus, resolve(focus, snapshot)) for focus in self._things())
        return {f"{LETTERS[focus.kind]}{focus.index}": (each.sentence, self._lit(each)) for focus, each in marked}

    def _things(self) -> Iterator[Focus]:
        for number in range(len(self._run.report.findings or ())):
            yield Focus("finding", number, TOP_LEVEL)
        for kind, number in self.keys.things() if self.keys else ():
            yield Focus(kind, number, TOP_LEVEL)
        rows = max((len(each.groups.numpy()) for each in self.pictures), default=0)
        for number in range(min(rows, array_rows.MOST_ROWS)):
            yield Focus("row", number, TOP_LEVEL)
        for number in range(1, self._lines + 1):
            yield Focus("line", number)

    def _lit(self, marks: Marks) -> str:
        keys = marks.keys.get(TOP_LEVEL, frozenset())
        parts: dict[FocusKind, Collection[int]] = {
            "finding": marks.findings.get(TOP_LEVEL, frozenset()),
            "key": self.keys.shown(keys) if self.keys else (),
            "row": marks.rows.get(TOP_LEVEL, frozenset()),
            "line": marks.lines,
        }
        return " ".join(each for kind, numbers in parts.items() for each in _ranges(LETTERS[kind], sorted(numbers)))


def _ranges(letter: str, numbers: list[int]) -> Iterator[str]:
    """Yield ``l3``, ``l5-8``: the ascending `numbers` with those in a row put together."""
    ends = [place for place, (one, two) in enumerate(pairwise(numbers), 1) if two != one + 1]
    for start, stop in pairwise([0, *ends, len(numbers)] if numbers else []):
        first, last = numbers[start], numbers[stop - 1]
        yield f"{letter}{first}" if first == last else f"{letter}{first}-{last}"


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
    """Return `run` as an HTML document in the chosen language; its policy allows its own style and script alone."""
    script, looks = _resource("page.js"), _resource("page.css")
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_digest(script)}'"
    head = (
        Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        tag("title", str(say("{program}, recorded", program=run.about.program))),
        tag("style", Html(looks)),
        Html(style()),
    )
    body = tag("main", tag("section", *_pieces(run), aria_label=run.about.program))
    titles = {"f": say("Findings"), "k": say("Keys"), "r": say("Rows"), "l": say("Lines")}
    of_things = {f"data_{letter}": str(words) for letter, words in titles.items()}
    selection = tag("footer", role="status", hidden=True, **of_things)
    whole = tag(
        "html", tag("head", *head), tag("body", body, selection, tag("script", Html(script))), lang=chosen_language()
    )
    return f"<!doctype html>\n{whole}\n"


def _heading(words: Text) -> Html:
    return tag("h2", str(words))


def _line(number: int) -> Text:
    return say("line {line}", line=number)


def _resource(name: str) -> str:
    return (Path(resources.__file__).parent / "recording" / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _pieces(run: RecordedRun) -> Iterator[Html]:
    about, report = run.about, run.report
    lines = run.source.rstrip("\n").split("\n") if run.source else []
    links = Links(run, len(lines[:MOST_LINES]))
    when = about.ended.replace("T", " ").replace("+00:00", " UTC")
    process = f", {say('process {number}', number=about.process)}" if about.process is not None else ""
    yield tag("h1", f"{about.program}{process}")
    yield tag("p", str(say("Recorded {when}, {where}", when=when, where=about.where)), class_="dim")
    yield tag("p", *_coverage(run))
    for words in about.left_out:
        yield tag("p", str(words), class_="dim")
    yield _heading(say("Findings"))
    yield tag("ol", *_findings(run), class_="findings")
    if report.keys is not None and links.keys:
        yield _heading(say("Keys"))
        stopped = f", {say('until it stopped')}" if report.status != "ok" else ""
        yield tag("p", links.keys.verdict, stopped)
        for note in report.keys.notes:
            yield tag("p", str(note), class_="dim")
        yield tag(
            "div", Html(drawing.tree(report.keys, in_key_words, linked=True)), class_="jaxk picture", tabindex="0"
        )
        yield tag("div", Html(drawing.legend(report.keys, in_key_words)), class_="jaxk dim")
        yield tag("div", links.keys.html(), class_="jaxk")
    if links.pictures:
        yield _heading(say("Noise"))
        yield tag("div", *(array_rows.figure(each, linked=True) for each in links.pictures), class_="jaxk rows")
    if report.calls:
        yield _heading(say("Curves"))
        yield tag("div", *_curves(run, len(lines[:MOST_LINES])), class_="jaxk rows")
    if lines:
        yield _heading(say("Code"))
        code = _code(run, lines[:MOST_LINES])
        yield tag("ol", *code, class_="code", role="listbox", aria_label=str(say("Code")))
    if len(lines) > MOST_LINES:
        yield tag("p", str(say("and {count:,} more lines", count=len(lines) - MOST_LINES)), class_="dim")
    if output := as_plain_text(report.printed).strip():
        yield _heading(say("Output"))
        yield tag("pre", output, tabindex="0", role="region", aria_label=str(say("Output")))
    record = msgspec.json.encode(links.record()).decode().replace("<", "\\u003c")
    yield tag("script", Html(record), type="application/json")


def _coverage(run: RecordedRun) -> Iterator[Html]:
    for number, each in enumerate(run.report.coverage):
        yield html(" · " if number else "", tag("span", each.words, class_="bug" if each.worst == "bug" else None))


def _findings(run: RecordedRun) -> Iterator[Html]:
    report = run.report
    if (failure := report.failure) is not None:
        line = failure.shown_line
        words = html(tag("b", str(say("Error")), class_="error"), " ", tag("span", with_code(str(failure.words))))
        why = tag("div", with_code(str(failure.explanation)), class_="dim"), tag("pre", failure.drawing, tabindex="0")
        yield tag("li", _thing(words, f"l{line}" if line else None), *_lines([line]), *why, class_="error")
    found = [(each.level, _finding(each, number)) for number, each in enumerate(report.findings or ())]
    found += [("warning", each) for each in _bad_calls(run)]
    yield from (item for _, item in sorted(found, key=lambda pair: LEVELS.index(pair[0])))
    if failure is None and not found:
        yield tag("li", str(say("None in what was checked.")))


def _finding(found: Finding, number: int) -> Html:
    times = f" {say('({count} times)', count=found.repeated)}" if found.repeated else ""
    name = checks()[found.kind].name if found.kind in checks() else found.kind
    words = _levelled(found.level, html(with_code(str(found.message)), times))
    about = tag("div", "; ".join([str(name), *_elsewhere(found)]), class_="dim")
    return tag("li", _thing(words, f"f{number}"), *_lines(sorted(found.lines)), about, class_=found.level)


def _bad_calls(run: RecordedRun) -> Iterator[Html]:
    """Yield an item for each function that returned NaN or infinity."""
    for each in run.report.calls:
        if words := str(call_curves.bad_words(each)):
            lines = [line if line <= MOST_LINES else 0 for line in (each.cause_line, each.span.shown_line)]
            line = next(filter(None, lines), 0)
            said = _thing(_levelled("warning", html(with_code(words))), f"l{line}" if line else None)
            yield tag("li", said, *_lines(lines), class_="warning")


def _levelled(level: Level, words: Html) -> Html:
    return html(tag("b", str(LEVEL_NAMES[level]), class_=level), " ", tag("span", words))


def _curves(run: RecordedRun, lines: int) -> Iterator[Html]:
    """Yield the curves of each call, which is chosen as its line is, where that is one of the first `lines`."""
    for each in run.report.calls:
        line = each.span.shown_line if each.span.shown_line <= lines else 0
        where = _lines([line]) if line else (f"{each.span.file} {_line(each.span.line)}".lstrip(),)
        yield tag("div", _thing(call_curves.figure(each), f"l{line}" if line else None), *where)


def _thing(words: Html, name: str | None) -> Html:
    return tag("div", words, role="button", tabindex="0", data_thing=name) if name else tag("div", words)


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
        label = tag("span", f"  {words}", class_="bug") if words else Html()
        yield tag(
            "li",
            line,
            tag("span", f"  {types[number]}", class_="types") if number in types else Html(),
            label,
            id=f"L{number}",
            class_="marked" if number in marked else None,
            data_thing=f"l{number}",
            role="option",
            aria_label=None if line.strip() else str(say("empty line")),
            tabindex="-1",
        )
