"""shown_in(): the contents of a pane for print, or why they are missing; code and programs as listings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtWidgets import QApplication

import views.keys.paper
import views.noise.paper
import views.timing.paper
from explorer.focus.variant_names import shown_variant
from explorer.messages import Form, Report, unmarked
from explorer.session.session import Session
from explorer.window.handout.records import CodeToken, Figure, Listing
from explorer.window.panes import view_in, why_nothing
from views.noise.noise_view import NoiseView
from views.parts.drawing import Drawing
from views.parts.own_document import OwnDocument
from views.program.program_view import ProgramView
from views.text.highlighters import KIND, ProgramHighlighter, PythonHighlighter
from views.theme import LIGHT
from views.timing.timing_view import TimingView
from views.window.main_window import MainWindow

MOST_LINES = 60
"""The most lines of a program, and of printed output."""
AROUND = 2
"""Lines shown above and below the line that a page points at."""


def code_listing(title: str, source: str) -> Listing:
    """Return the Python code `source` with line numbers."""
    return Listing(title, _coloured(source, None), first=1)


def excerpt(listing: Listing, line: int) -> Listing:
    """Return `line` of `listing`, counted from 1, with the lines around it."""
    start, stop = max(0, line - 1 - AROUND), min(len(listing.lines), line + AROUND)
    while stop > line and not listing.lines[stop - 1]:
        stop -= 1
    while start < line - 1 and not listing.lines[start]:
        start += 1
    return Listing("", listing.lines[start:stop], start + 1, frozenset({line - 1 - start}))


def program_listing(title: str, text: str, form: Form, marked: Iterable[int] = ()) -> Listing:
    """Return the `text` of a program as a listing; `marked` are the indices of marked lines."""
    lines = _coloured("\n".join(text.splitlines()[:MOST_LINES]), form)
    meant = frozenset(place for place in marked if place < len(lines))
    return Listing(title, lines, marked=meant, left_out=max(0, len(text.splitlines()) - MOST_LINES))


def plain(title: str, text: str) -> Listing:
    """Return `text` without colours."""
    lines = text.rstrip("\n").split("\n")
    shown = tuple((CodeToken("", line),) for line in lines[:MOST_LINES])
    return Listing(title, shown, left_out=max(0, len(lines) - MOST_LINES))


def _coloured(text: str, form: Form | None) -> tuple[tuple[CodeToken, ...], ...]:
    document = OwnDocument()
    highlighter = PythonHighlighter(document) if form is None else ProgramHighlighter(form)
    document.setPlainText(text.rstrip("\n"))
    if isinstance(highlighter, PythonHighlighter):
        highlighter.rehighlight()
    lines = []
    block = document.begin()
    while block.isValid():
        if isinstance(highlighter, ProgramHighlighter):
            highlighter.colour(block)
        lines.append(tuple(_stretches(block.text(), block.layout().formats())))
        block = block.next()
    return tuple(lines)


def _stretches(line: str, formats: Iterable[object]) -> Iterable[CodeToken]:
    # Qt counts in units of UTF-16.
    units = line.encode("utf-16-le")
    place = 0
    for each in sorted(formats, key=lambda one: one.start):  # type: ignore[attr-defined]
        start, stop = each.start, each.start + each.length  # type: ignore[attr-defined]
        if start > place:
            yield CodeToken("", units[2 * place : 2 * start].decode("utf-16-le", "replace"))
        kind = each.format.property(KIND)  # type: ignore[attr-defined]
        yield CodeToken(kind or "", units[2 * start : 2 * stop].decode("utf-16-le", "replace"))
        place = stop
    if 2 * place < len(units):
        yield CodeToken("", units[2 * place :].decode("utf-16-le", "replace"))


FORMS: dict[Form, str] = {"jaxpr": "jaxpr", "stablehlo": "StableHLO", "hlo": "HLO"}


class PaneContents(NamedTuple):
    """The contents of a pane."""

    figures: tuple[Figure, ...] = ()
    listings: tuple[Listing, ...] = ()
    remark: str = ""


def shown_in(pane: str, window: MainWindow, session: Session) -> PaneContents:
    """Return the contents of `pane` of `window`, once the session is idle."""
    snapshot = session.snapshot
    if snapshot is None or pane not in ("keys", "noise", "program", "timing"):
        return PaneContents()
    if pane == "program":
        return _program(window, session)
    if pane == "keys":
        drawings = views.keys.paper.drawings(snapshot, LIGHT)
    elif pane == "noise":
        drawings = views.noise.paper.drawings(view_in(window, NoiseView), snapshot, LIGHT)
    else:
        drawings = views.timing.paper.drawings(view_in(window, TimingView), LIGHT)
    if pane == "noise":
        remark = " ".join(views.noise.paper.instead(view_in(window, NoiseView), snapshot, LIGHT))
    else:
        remark = "" if drawings else why_nothing(pane, session)
    if pane == "keys":
        remark = " ".join(filter(None, (remark, _checker(session))))
    # The widgets that drew them are deleted at the end.
    figures = tuple(map(_figure, drawings))
    QApplication.processEvents()
    return PaneContents(figures, remark=remark)


def _checker(session: Session) -> str:
    checkers = [each.jax_checker for each in session.snapshot.reports] if session.snapshot else []
    return next((unmarked(each.comparison) for each in checkers if each is not None), "")


def _program(window: MainWindow, session: Session) -> PaneContents:
    view = view_in(window, ProgramView)
    if drawings := view.drawings():
        return PaneContents(tuple(map(_figure, drawings)))
    reports = session.snapshot.reports[:2] if session.snapshot else ()
    return PaneContents(listings=tuple(_text(each, session) for each in reports if each.program and each.program.text))


def _text(report: Report, session: Session) -> Listing:
    assert report.program is not None
    program = report.program
    lit = session.marks().equations.get(report.name, frozenset())
    rows = [
        row
        for place in lit
        if place < len(program.equations)
        for row in range(program.equations[place].first_line, program.equations[place].last_line + 1)
    ]
    title = f"{shown_variant(report.name)} · {FORMS[program.form]}"
    return program_listing(title, program.text, program.form, rows)


def _figure(drawing: Drawing) -> Figure:
    width = round(drawing.size.width())
    return Figure(drawing.svg(), drawing.title, drawing.caption, width, drawing.has_cells)
