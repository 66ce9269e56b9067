"""A recording as one HTML page: without network, for a browser of any size, and for paper."""

from __future__ import annotations

import base64
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import resources
from explorer.commands.findings_report import PLACE_LABELS
from explorer.diagnostics.registry import checks
from explorer.figures import array_rows
from explorer.figures.forest import drawing
from explorer.figures.forest.style import style
from explorer.messages import LEVELS, Finding, Picture, Span
from explorer.messages.recorded_run import RecordedRun
from explorer.text.html import Html, html, tag, with_code


def page(run: RecordedRun) -> str:
    """Return `run` as an HTML document, whose policy allows its own style and script alone."""
    script, looks = _resource("page.js"), _resource("page.css")
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_digest(script)}'"
    head = (
        Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        tag("title", f"{run.about.program}, a recording"),
        tag("style", Html(looks)),
        Html(style()),
    )
    body = tag("main", *_pieces(run))
    whole = tag("html", tag("head", *head), tag("body", body, tag("script", Html(script))), lang="en")
    return f"<!doctype html>\n{whole}\n"


def _resource(name: str) -> str:
    return (Path(resources.__file__).parent / "recording" / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _pieces(run: RecordedRun) -> Iterator[Html]:
    about, report = run.about, run.report
    versions = [f"JAX {about.jax}"] * bool(about.jax) + [f"Python {about.python}"] * bool(about.python)
    when = about.ended.replace("T", " ").replace("+00:00", " UTC")
    where = ", ".join([when, *versions, *filter(None, [about.system]), *about.devices])
    yield tag("h1", about.program)
    yield tag("p", f"Recorded {where}", class_="dim")
    yield tag("p", *_coverage(run))
    for words in about.left_out:
        yield tag("p", str(words), class_="dim")
    yield tag("h2", "Findings")
    yield tag("ol", *_findings(run), class_="findings")
    if report.keys is not None and report.keys.nodes:
        yield tag("h2", "Keys")
        yield tag("div", Html(drawing.tree(report.keys)), class_="jaxk tree")
        yield tag("div", Html(drawing.legend(report.keys)), class_="jaxk dim")
    if telling := [each for each in report.pictures or () if array_rows.tells(each)]:
        yield tag("h2", "Noise")
        yield tag("div", *map(_picture, telling), class_="jaxk rows")
    if run.source:
        yield tag("h2", "Code")
        yield tag("div", tag("ol", *_code(run)), class_="code")


def _coverage(run: RecordedRun) -> Iterator[Html]:
    for number, each in enumerate(run.report.coverage):
        yield html(" · " if number else "", tag("span", each.words, class_="bug" if each.worst == "bug" else None))


def _findings(run: RecordedRun) -> Iterator[Html]:
    report = run.report
    if (failure := report.failure) is not None:
        at = tuple(each for each in (failure.span,) if each is not None)
        head = tag("b", f"{failure.type}: ", class_="error")
        yield _finding("error", at, head, html(str(failure.message)), Html())
    for each in sorted(report.findings or (), key=lambda finding: LEVELS.index(finding.level)):
        name = checks()[each.kind].name if each.kind in checks() else each.kind
        head = tag("b", f"{each.level}, {name}: ", class_=each.level)
        yield _finding(each.level, each.all_spans, head, with_code(str(each.message)), _places(each))
    if failure is None and not report.findings:
        yield tag("li", "None in what was checked.")


def _finding(level: str, spans: tuple[Span, ...], head: Html, words: Html, places: Html) -> Html:
    lines = dict.fromkeys(span.line for span in spans if not span.file)
    links = [html(" ", tag("a", f"line {line}", href=f"#L{line}")) for line in lines]
    named = " ".join(map(str, lines))
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


def _code(run: RecordedRun) -> Iterator[Html]:
    labels: dict[int, list[str]] = defaultdict(list)
    for each in run.report.findings or ():
        for place in each.places:
            if not place.span.file:
                labels[place.span.line].append(PLACE_LABELS[place.role])
        for span in each.spans:
            labels.setdefault(span.line, []) if not span.file else None
    for number, line in enumerate(run.source.rstrip("\n").split("\n"), 1):
        words = ", ".join(dict.fromkeys(labels.get(number, ())))
        label = tag("span", f"  {words}", class_="bug") if words else Html()
        marked = "marked" if number in labels else None
        yield tag("li", line, label, id=f"L{number}", class_=marked, data_lines=number if marked else None)
