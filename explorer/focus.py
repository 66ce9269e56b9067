"""From the one thing that is selected to everything that it lights up."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from explorer.messages import Focus, KeyGraph, Marks, Report, Snapshot
from explorer.records import key_hex

MAX_MARKED = 1000
"""A mark on more keys or rows than this would light up everything and say nothing."""


def resolve(focus: Focus | None, snapshot: Snapshot | None) -> Marks:
    """Return what `focus` lights up in `snapshot`; empty marks when the thing is not there any more."""
    if focus is None or snapshot is None:
        return Marks()
    report = snapshot.report(focus.variant)
    if focus.kind == "line":
        return _marks(focus, snapshot, frozenset({focus.index}), f"line {focus.index}")
    if report is None or not _is_there(focus, report):
        return Marks()
    if focus.kind == "equation":
        return _equation(focus, snapshot, report)
    if focus.kind == "finding":
        return _finding(focus, snapshot, report)
    if focus.kind == "key":
        return _keys(focus, snapshot, report, frozenset({focus.index}), f"key {_hex(report, focus.index)}")
    return _row(focus, snapshot, report)


def _is_there(focus: Focus, report: Report) -> bool:
    sizes = {
        "equation": len(report.program.equations) if report.program else 0,
        "key": report.keys.nodes if report.keys else 0,
        "finding": len(report.findings or ()),
        "row": max((len(picture.groups.numpy()) for picture in report.pictures or ()), default=0),
    }
    return 0 <= focus.index < sizes.get(focus.kind, 0)


def _hex(report: Report, key: int) -> str:
    return key_hex(report.keys, key) if report.keys else ""


def _equation(focus: Focus, snapshot: Snapshot, report: Report) -> Marks:
    equation = report.program.equations[focus.index] if report.program else None
    lines = frozenset({equation.span.line} if equation and equation.span else ())
    name = equation.primitive if equation else ""
    marks = _marks(focus, snapshot, lines, f"equation {focus.index + 1}, {name}")
    return _with(marks, equations={**marks.equations, report.name: frozenset({focus.index})})


def _finding(focus: Focus, snapshot: Snapshot, report: Report) -> Marks:
    finding = (report.findings or ())[focus.index]
    lines = frozenset(span.line for span in finding.spans)
    marks = _marks(focus, snapshot, lines, finding.message)
    rows = _rows_of_keys(report.keys, frozenset(finding.keys))
    if finding.kind == "shared-noise" and finding.examples:
        rows = frozenset(range(min(finding.examples, MAX_MARKED)))
    return _with(
        marks,
        keys={report.name: frozenset(finding.keys)},
        rows={report.name: rows},
        findings={report.name: frozenset({focus.index})},
    )


def _row(focus: Focus, snapshot: Snapshot, report: Report) -> Marks:
    keys = _keys_of_row(report.keys, focus.index)
    marks = _keys(focus, snapshot, report, keys, f"example {focus.index}")
    return _with(marks, rows={report.name: frozenset({focus.index})})


def _keys(focus: Focus, snapshot: Snapshot, report: Report, keys: frozenset[int], what: str) -> Marks:
    lines = _lines_of_keys(report.keys, keys)
    marks = _marks(focus, snapshot, lines, what)
    return _with(
        marks, keys={report.name: keys}, rows={report.name: _rows_of_keys(report.keys, keys)}, findings=marks.findings
    )


def _marks(focus: Focus, snapshot: Snapshot, lines: frozenset[int], what: str) -> Marks:
    """Return the marks of source `lines`: their equations, the keys drawn there and the findings there."""
    marks = Marks(focus, lines, sentence=_sentence(what, focus.variant, snapshot))
    for report in snapshot.reports:
        equations = report.program.equations if report.program else ()
        marks.equations[report.name] = frozenset(
            place for place, equation in enumerate(equations) if equation.span and equation.span.line in lines
        )
        marks.keys[report.name] = _keys_of_lines(report.keys, lines)
        marks.findings[report.name] = frozenset(
            place
            for place, finding in enumerate(report.findings or ())
            if any(span.line in lines for span in finding.spans)
        )
    return marks


def _sentence(what: str, variant: str, snapshot: Snapshot) -> str:
    return f"Selected: {what}" + (f" ({variant})" if variant and len(snapshot.reports) > 1 else "")


def _with(marks: Marks, **changes: dict[str, frozenset[int]]) -> Marks:
    values = {"equations": marks.equations, "keys": marks.keys, "rows": marks.rows, "findings": marks.findings}
    values.update(changes)
    return Marks(marks.focus, marks.lines, **values, sentence=marks.sentence)


def _few(indices: Iterable[int]) -> frozenset[int]:
    found = frozenset(int(index) for index in indices)
    return found if len(found) <= MAX_MARKED else frozenset()


def _sites_of_lines(graph: KeyGraph, lines: frozenset[int]) -> list[int]:
    return [place for place, site in enumerate(graph.sites) if site.span and site.span.line in lines]


def _keys_of_lines(graph: KeyGraph | None, lines: frozenset[int]) -> frozenset[int]:
    """Return the keys drawn from on `lines`; where there are none, the keys made there."""
    if graph is None:
        return frozenset()
    sites = _sites_of_lines(graph, lines)
    drawn = graph.draw_key.numpy()[np.isin(graph.draw_site.numpy(), sites)]
    return _few(drawn) or _few(np.flatnonzero(np.isin(graph.site.numpy(), sites)))


def _lines_of_keys(graph: KeyGraph | None, keys: frozenset[int]) -> frozenset[int]:
    """Return the lines where `keys` were made and spent."""
    if graph is None:
        return frozenset()
    chosen = sorted(keys)
    spent = graph.draw_site.numpy()[np.isin(graph.draw_key.numpy(), chosen)]
    split = graph.split_site.numpy()[np.isin(graph.split_key.numpy(), chosen)]
    made = graph.site.numpy()[chosen]
    sites = {int(site) for site in (*spent, *split, *made) if site >= 0}
    return frozenset(span.line for span in (graph.sites[site].span for site in sites) if span)


def _keys_of_row(graph: KeyGraph | None, row: int) -> frozenset[int]:
    """Return the keys whose draws serve example `row`: its own, and those that serve every example."""
    if graph is None:
        return frozenset()
    shared = graph.draw_serves.numpy()
    serves = (graph.draw_example.numpy() == row) | ((shared > 1) & (shared > row))
    return _few(graph.draw_key.numpy()[serves])


def _rows_of_keys(graph: KeyGraph | None, keys: frozenset[int]) -> frozenset[int]:
    """Return the examples that draws from `keys` serve."""
    if graph is None or not keys:
        return frozenset()
    chosen = np.isin(graph.draw_key.numpy(), sorted(keys))
    own = graph.draw_example.numpy()[chosen]
    shared = int(graph.draw_serves.numpy()[chosen].max(initial=0))
    return _few(own[own >= 0]) | (frozenset(range(min(shared, MAX_MARKED))) if shared > 1 else frozenset())
