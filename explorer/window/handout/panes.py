"""The contents of a page's pane for print: pictures, program text, or the reason why both are missing."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

import views.keys.paper
import views.noise.paper
import views.timing.paper
from explorer.focus.variant_names import shown_variant
from explorer.messages import Form, Report, unmarked
from explorer.session.session import Session
from explorer.window.handout import coloured
from explorer.window.handout.records import Figure, Listing
from explorer.window.panes import view_in, why_nothing
from views.noise.noise_view import NoiseView
from views.parts.paper.drawing import Drawing
from views.program.program_view import ProgramView
from views.theme import LIGHT
from views.timing.timing_view import TimingView
from views.window.main_window import MainWindow

FORMS: dict[Form, str] = {"jaxpr": "jaxpr", "stablehlo": "StableHLO", "hlo": "HLO"}


class PaneContents:
    """The contents of a pane."""

    def __init__(self, figures: tuple[Figure, ...] = (), listings: tuple[Listing, ...] = (), remark: str = "") -> None:
        self.figures, self.listings, self.remark = figures, listings, remark


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
    # What drew them is thrown away at last.
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
    return coloured.program(title, program.text, program.form, rows)


def _figure(drawing: Drawing) -> Figure:
    width = round(drawing.size.width())
    return Figure(drawing.svg(), drawing.title, drawing.caption, width, drawing.has_cells)
