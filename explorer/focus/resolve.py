"""``resolve``: the marks of everything that the selected thing highlights; ``with_loop``: the loop on a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from explorer.figures.key_tally import served_at_once
from explorer.focus.focus_words import FocusWords
from explorer.messages import LOOPS, Equation, Focus, KeyGraph, Marks, Measurement, Report, Snapshot, Span
from explorer.messages.lazy_numpy import np

if TYPE_CHECKING:
    import numpy.typing as npt

Lit = frozenset[int]
NONE: Lit = frozenset()
MAX_MARKED = 1000
"""Most keys or rows that are marked; with more the marks would show nothing."""


def resolve(focus: Focus | None, snapshot: Snapshot | None, measurements: Sequence[Measurement] = ()) -> Marks:
    """Return the marks of `focus` in `snapshot`; empty marks when the selected thing does not exist."""
    if focus is None:
        return Marks()
    if snapshot is None:
        # A line of the code is there before it has run.
        is_line = focus.kind == "line"
        return Marks(focus, frozenset({focus.index}), sentence=_line_words(focus)) if is_line else Marks()
    if focus.kind == "line":
        return _line(focus, snapshot)
    if focus.kind == "timing":
        return _timing(focus, snapshot, measurements)
    report = snapshot.report(focus.variant)
    if report is None or not 0 <= focus.index < count_of(focus, report):
        return Marks()
    light = {"equation": _equation, "finding": _finding, "key": _key, "draw": _draw, "row": _row}[focus.kind]
    marks = light(focus, snapshot, report)
    of = focus.variant if len(snapshot.reports) > 1 else ""
    sentence = FocusWords().selected(FocusWords().thing(focus, report), of)
    return msgspec.structs.replace(marks, curves=frozenset({report.subject or report.name}), sentence=sentence)


def count_of(focus: Focus, report: Report) -> int:
    """Return the number of things in `report` of the kind of `focus`."""
    if focus.kind == "equation":
        return len(report.program.equations) if report.program else 0
    if focus.kind == "key":
        return report.keys.nodes if report.keys else 0
    if focus.kind == "draw":
        return report.keys.draw_key.shape[0] if report.keys else 0
    if focus.kind == "finding":
        return len(report.findings or ())
    return max((picture.groups.shape[0] for picture in report.pictures or ()), default=0)


# -- one function for each kind ---------------------------------------------------------------


def _line(focus: Focus, snapshot: Snapshot) -> Marks:
    marks = _of_lines(focus, snapshot, frozenset({focus.index}))
    inside = {each.name for each in snapshot.variants if each.line <= focus.index <= each.end_line}
    leads_there = {name for name, equations in marks.equations.items() if equations}
    return msgspec.structs.replace(marks, curves=frozenset(inside | leads_there), sentence=_line_words(focus))


def _line_words(focus: Focus) -> str:
    return FocusWords().selected(FocusWords().line(focus.index))


def _equation(focus: Focus, snapshot: Snapshot, report: Report) -> Marks:
    equation = _equations(report)[focus.index]
    marks = _of_lines(focus, snapshot, _line_of(equation.span))
    return _with(marks, equations={**marks.equations, report.name: frozenset({focus.index})})


def _finding(focus: Focus, snapshot: Snapshot, report: Report) -> Marks:
    finding = (report.findings or ())[focus.index]
    marks = _of_lines(focus, snapshot, finding.lines, keys_too=False)
    rows = _rows_of_keys(report.keys, frozenset(finding.keys))
    if finding.kind == "shared-noise" and finding.examples:
        rows = frozenset(range(min(finding.examples, MAX_MARKED)))
    return _with(
        marks,
        keys={report.name: frozenset(finding.keys)},
        rows={report.name: rows},
        findings={report.name: frozenset({focus.index})},
        line=finding.shown_line,
    )


def _key(focus: Focus, snapshot: Snapshot, report: Report) -> Marks:
    return _of_keys(focus, snapshot, report, frozenset({focus.index}))


def _draw(focus: Focus, snapshot: Snapshot, report: Report) -> Marks:
    graph = report.keys
    if graph is None:
        return Marks()
    place = int(graph.draw_site.numpy()[focus.index])
    span = graph.sites[place].span
    marks = _of_lines(focus, snapshot, _line_of(span), keys_too=False)
    found = enumerate(report.findings or ())
    key = int(graph.draw_key.numpy()[focus.index])
    return _with(
        marks,
        keys={report.name: frozenset({key})},
        rows={report.name: _rows_of_draws(graph, np.array([focus.index]))},
        findings={report.name: frozenset(number for number, each in found if place in each.sites)},
    )


def _row(focus: Focus, snapshot: Snapshot, report: Report) -> Marks:
    marks = _of_keys(focus, snapshot, report, _keys_of_row(report.keys, focus.index))
    return _with(marks, rows={report.name: frozenset({focus.index})})


def _timing(focus: Focus, snapshot: Snapshot, measurements: Sequence[Measurement]) -> Marks:
    """Mark the whole function, because that was timed."""
    mine = [each for each in snapshot.variants if each.name == focus.variant]
    lines = frozenset(line for each in mine for line in range(each.line, each.end_line + 1))
    measured = next((each for each in measurements if (each.variant, each.point) == (focus.variant, focus.point)), None)
    report = next((each for each in snapshot.reports if focus.variant in (each.subject or each.name,)), None)
    if report is not None and report.subject:
        lines = frozenset(line for each in report.subjects if each.name == focus.variant for line in each.lines)
    equations = {report.name: frozenset(range(len(_equations(report))))} if report else {}
    sentence = FocusWords().selected(FocusWords().timing(focus, measured))
    return Marks(focus, lines, equations, curves=frozenset({focus.variant}), sentence=sentence)


# -- what lines and keys lead to --------------------------------------------------------------


def _of_lines(focus: Focus, snapshot: Snapshot, lines: Lit, *, keys_too: bool = True) -> Marks:
    """Return the marks of source `lines`: their equations, the keys drawn there and the findings there.

    A focus on one variant marks no keys and findings of another. Without `keys_too` the caller adds the keys itself.
    """
    equations, keys, findings = {}, {}, {}
    for report in snapshot.reports:
        found = enumerate(_equations(report))
        equations[report.name] = frozenset(
            place for place, each in found if each.span and each.span.shown_line in lines
        )
        if focus.variant not in ("", report.name):
            continue
        if keys_too:
            keys[report.name] = _keys_of_lines(report.keys, lines)
        findings[report.name] = frozenset(
            place for place, finding in enumerate(report.findings or ()) if not finding.lines.isdisjoint(lines)
        )
    return Marks(focus, lines, equations, keys, findings=findings)


def _line_of(span: Span | None) -> Lit:
    return frozenset({span.shown_line} if span else ()) - {0}


def _of_keys(focus: Focus, snapshot: Snapshot, report: Report, keys: Lit) -> Marks:
    marks = _of_lines(focus, snapshot, _lines_of_keys(report.keys, keys), keys_too=False)
    return _with(marks, keys={report.name: keys}, rows={report.name: _rows_of_keys(report.keys, keys)})


def _equations(report: Report) -> tuple[Equation, ...]:
    return report.program.equations if report.program else ()


def _with(marks: Marks, **changes: Any) -> Marks:
    return msgspec.structs.replace(marks, **changes)


# -- relations within one run ----------------------------------------------------------------


def _keys_of_lines(graph: KeyGraph | None, lines: Lit) -> Lit:
    """Return the keys drawn from on `lines`; where there are none, the keys made there."""
    if graph is None or not lines:
        return NONE
    sites = [place for place, site in enumerate(graph.sites) if site.span and site.span.shown_line in lines]
    if not sites:
        return NONE
    drawn = graph.draw_key.numpy()[np.isin(graph.draw_site.numpy(), sites)]
    return _few(drawn, graph.nodes) or _few(np.flatnonzero(np.isin(graph.site.numpy(), sites)), graph.nodes)


def _lines_of_keys(graph: KeyGraph | None, keys: Lit) -> Lit:
    """Return the lines where `keys` were made and spent."""
    if graph is None or not keys:
        return NONE
    wanted = sorted(keys)
    spent = graph.draw_site.numpy()[np.isin(graph.draw_key.numpy(), wanted)]
    split = graph.split_site.numpy()[np.isin(graph.split_key.numpy(), wanted)]
    made = graph.site.numpy()[wanted]
    of_it = graph.site.numpy()[np.isin(graph.parent.numpy(), wanted)]
    sites = {int(site) for site in np.unique(np.concatenate([spent, split, made, of_it])) if site >= 0}
    return frozenset(span.shown_line for span in (graph.sites[site].span for site in sites) if span) - {0}


def _keys_of_row(graph: KeyGraph | None, row: int) -> Lit:
    """Return the keys that draw for example `row`: its own keys and those that serve every example."""
    if graph is None:
        return NONE
    shared = served_at_once(graph)
    serves = (graph.draw_example.numpy() == row) | ((shared > 1) & (shared > row))
    return _few(graph.draw_key.numpy()[serves], graph.nodes)


def _rows_of_keys(graph: KeyGraph | None, keys: Lit) -> Lit:
    """Return the examples that draws from `keys` serve."""
    if graph is None or not keys:
        return NONE
    return _rows_of_draws(graph, np.flatnonzero(np.isin(graph.draw_key.numpy(), sorted(keys))))


def _rows_of_draws(graph: KeyGraph, draws: npt.NDArray[np.intp]) -> Lit:
    """Return the examples that `draws` serve."""
    own = graph.draw_example.numpy()[draws]
    shared = int(served_at_once(graph)[draws].max(initial=0))
    served = _few(own[own >= 0], int(own.max(initial=0)) + 1)
    return served | (frozenset(range(min(shared, MAX_MARKED))) if shared > 1 else NONE)


def _few(indices: npt.NDArray[np.integer], count: int) -> Lit:
    """Return the different `indices`, all less than `count`; none of them where they are too many to mark."""
    hit = np.zeros(count, bool)
    hit[indices] = True
    if np.count_nonzero(hit) > MAX_MARKED:
        return NONE
    return frozenset(np.flatnonzero(hit).tolist())


def with_loop(focus: Focus | None, snapshot: Snapshot | None) -> Focus | None:
    """Return a focus on the outermost loop that begins on the line of `focus`; any other focus unchanged."""
    if focus is not None and focus.kind == "line" and snapshot is not None:
        for report in snapshot.reports:
            for index, each in enumerate(report.program.equations if report.program else ()):
                if each.primitive in LOOPS and each.span and each.span.line == focus.index:
                    return Focus("equation", index, report.name)
    return focus
