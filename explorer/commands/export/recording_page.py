"""A recording as one HTML page: without network, for a browser of any size, and for paper."""

from __future__ import annotations

import base64
import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import resources
from explorer.commands.findings_report import PLACE_LABELS
from explorer.diagnostics.registry import checks
from explorer.figures import array_rows
from explorer.figures.common_draws import CommonDraws, common_draws
from explorer.figures.forest import drawing
from explorer.figures.forest.style import style
from explorer.messages import LEVELS, Finding, Picture, Span
from explorer.messages.recorded_run import RecordedRun
from explorer.text.html import Html, html, tag, with_code

MOST_COMMON = 20
"""The most groups of keys in common that are listed, and places of each."""


def page(*runs: RecordedRun) -> str:
    """Return `runs` as an HTML document, whose policy allows its own style and script alone."""
    script, looks = _resource("page.js"), _resource("page.css")
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_digest(script)}'"
    head = (
        Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        tag("title", f"{', '.join(dict.fromkeys(each.about.program for each in runs))}, recorded"),
        tag("style", Html(looks)),
        Html(style()),
    )
    sections = [tag("section", *_pieces(run, place)) for place, run in enumerate(runs, 1)]
    body = tag("main", *(_in_common(runs) if len(runs) > 1 else ()), *sections)
    whole = tag("html", tag("head", *head), tag("body", body, tag("script", Html(script))), lang="en")
    return f"<!doctype html>\n{whole}\n"


def _in_common(runs: Sequence[RecordedRun]) -> Iterator[Html]:
    """Yield the part on the keys that several runs drew from."""
    yield tag("h1", f"{len(runs)} recordings")
    yield tag("h2", "Keys in common")
    found = common_draws([each.report.keys for each in runs])
    if not found:
        yield tag("p", "No key was drawn from in more than one of them.")
        return
    yield tag(
        "p",
        with_code(
            "These keys were drawn from in more than one recording: with the same arguments, the same numbers. If the "
            "processes of a job are to draw different numbers, fold the number of the process in: "
            "`jax.random.fold_in(key, jax.process_index())`."
        ),
    )
    yield tag("ul", *(tag("li", _common(each, runs)) for each in found[:MOST_COMMON]))
    if len(found) > MOST_COMMON:
        yield tag("p", f"and {len(found) - MOST_COMMON:,} more", class_="dim")


def _common(found: CommonDraws, runs: Sequence[RecordedRun]) -> Html:
    places = [
        f"{_name(runs[run], run + 1)}: {site.name}{f', line {site.span.line}' if site.span is not None else ''}"
        for run, site in found.places[:MOST_COMMON]
    ]
    more = len(found.places) - len(places)
    words = "; ".join([*places, *([f"and {more} more"] if more else [])])
    return html(tag("b", f"{found.keys:,} key{'s' * (found.keys > 1)}"), f" by {words}")


def _name(run: RecordedRun, place: int) -> str:
    return f"process {run.about.process}" if run.about.process is not None else f"{place}. {run.about.program}"


def _resource(name: str) -> str:
    return (Path(resources.__file__).parent / "recording" / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _pieces(run: RecordedRun, place: int) -> Iterator[Html]:
    about, report = run.about, run.report
    when = about.ended.replace("T", " ").replace("+00:00", " UTC")
    yield tag("h1", about.program if about.process is None else f"{about.program}, process {about.process}")
    yield tag("p", f"Recorded {when}, {about.where}", class_="dim")
    yield tag("p", *_coverage(run))
    for words in about.left_out:
        yield tag("p", str(words), class_="dim")
    yield tag("h2", "Findings")
    yield tag("ol", *_findings(run, place), class_="findings")
    if report.keys is not None and report.keys.nodes:
        yield tag("h2", "Keys")
        yield tag("div", Html(drawing.tree(report.keys)), class_="jaxk tree")
        yield tag("div", Html(drawing.legend(report.keys)), class_="jaxk dim")
    if telling := [each for each in report.pictures or () if array_rows.tells(each)]:
        yield tag("h2", "Noise")
        yield tag("div", *map(_picture, telling), class_="jaxk rows")
    if run.source:
        yield tag("h2", "Code")
        yield tag("div", tag("ol", *_code(run, place)), class_="code")


def _coverage(run: RecordedRun) -> Iterator[Html]:
    for number, each in enumerate(run.report.coverage):
        yield html(" · " if number else "", tag("span", each.words, class_="bug" if each.worst == "bug" else None))


def _findings(run: RecordedRun, place: int) -> Iterator[Html]:
    report = run.report
    if (failure := report.failure) is not None:
        at = tuple(each for each in (failure.span,) if each is not None)
        head = tag("b", f"{failure.type}: ", class_="error")
        yield _finding("error", at, place, head, html(str(failure.message)), Html())
    for each in sorted(report.findings or (), key=lambda finding: LEVELS.index(finding.level)):
        name = checks()[each.kind].name if each.kind in checks() else each.kind
        head = tag("b", f"{each.level}, {name}: ", class_=each.level)
        yield _finding(each.level, each.all_spans, place, head, with_code(str(each.message)), _places(each))
    if failure is None and not report.findings:
        yield tag("li", "None in what was checked.")


def _finding(level: str, spans: tuple[Span, ...], place: int, head: Html, words: Html, places: Html) -> Html:
    lines = dict.fromkeys(span.line for span in spans if not span.file)
    links = [html(" ", tag("a", f"line {line}", href=f"#L{place}-{line}")) for line in lines]
    named = " ".join(f"{place}-{line}" for line in lines)
    return tag("li", head, words, *links, places, class_=level, tabindex="0", data_lines=named)


def _places(finding: Finding) -> Html:
    others = {span.file: span for span in finding.all_spans if span.file}
    words = [f"{file}, line {span.line}" for file, span in others.items()]
    return tag("div", "; ".join(words), class_="dim") if words else Html()


def _picture(picture: Picture) -> Html:
    equal = array_rows.equal(picture)
    name = html(tag("b", str(picture.name)), f" {picture.dtype}{list(picture.shape)}")
    fault = tag("div", f"equal: {'; '.join(equal)}", class_="bug") if equal else Html()
    return tag("div", tag("div", name), tag("div", str(picture.verdict)), Html(array_rows.drawn(picture)), fault)


def _code(run: RecordedRun, place: int) -> Iterator[Html]:
    labels: dict[int, list[str]] = defaultdict(list)
    for each in run.report.findings or ():
        for found in each.places:
            if not found.span.file:
                labels[found.span.line].append(PLACE_LABELS[found.role])
        for span in each.spans:
            labels.setdefault(span.line, []) if not span.file else None
    for number, line in enumerate(run.source.rstrip("\n").split("\n"), 1):
        words = ", ".join(dict.fromkeys(labels.get(number, ())))
        label = tag("span", f"  {words}", class_="bug") if words else Html()
        marked = "marked" if number in labels else None
        yield tag(
            "li",
            line,
            label,
            id=f"L{place}-{number}",
            class_=marked,
            data_lines=f"{place}-{number}" if marked else None,
        )
