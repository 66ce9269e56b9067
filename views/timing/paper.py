"""drawings(): the printed timing pane, one page or each that has something to show; picture() for a copy."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QSizeF, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QTextBrowser, QWidget

from views.parts.drawing import Drawing, below_each_other, of_widget, trimmed
from views.parts.legend import Legend
from views.theme import Theme
from views.timing.curves_page import CurvesPage
from views.timing.page_stack import PAGES
from views.timing.timing_view import TimingView

SIZE = (500, 340)
MOST_PX = 1400
"""The most pixels of height of a text."""
GAP = 8


def drawings(shown: TimingView, theme: Theme, *, alone: bool = False, every: bool = False) -> tuple[Drawing, ...]:
    """Return the page of `shown`, or `every` plot of it; empty where no time was measured.

    A drawing that stands `alone` names the source of its figures.
    """
    pages = tuple(PAGES) if every else (shown.page,)
    found = [_drawing(shown, page, theme, alone=alone) for page in pages if shown.is_timed]
    return tuple(each for each in found if each is not None)


def picture(shown: TimingView, theme: Theme) -> QPixmap:
    """Return the page of `shown` with the source of its figures below; as on screen where no time was measured."""
    drawn = drawings(shown, theme, alone=True)
    return QPixmap.fromImage(drawn[0].with_caption().image()) if drawn else shown.grab()


def _drawing(shown: TimingView, page: int, theme: Theme, *, alone: bool) -> Drawing | None:
    view = shown.printed(SIZE, theme)
    view.choose_page(page)
    body = view.pages.currentWidget()
    body.setParent(None)
    body.resize(*SIZE)
    legend = body.take_legend() if isinstance(body, CurvesPage) else None
    for plot in body.findChildren(pg.PlotWidget):
        _draw_in_lines(plot)
        plot.setBackground(theme.background)
    _settle(body)
    body.resize(SIZE[0], _height(body))
    _settle(body)
    caption = f"{view.verdict}." if view.verdict else ""
    if alone:
        caption = f"{caption} {view.about().caption}.".strip()
    whole = Drawing(
        f"timing-{PAGES[page]}", view.names[page], caption, QSizeF(body.size()), of_widget(body, view), theme
    )
    found = trimmed(whole)
    return below_each_other(found, _legend(legend, theme), GAP) if found is not None else None


def _legend(legend: Legend | None, theme: Theme) -> Drawing | None:
    """Return the legend of the lines, wrapped to the width."""
    if legend is None:
        return None
    legend.resize(SIZE[0], legend.heightForWidth(SIZE[0]))
    return Drawing("", "", "", QSizeF(legend.size()), of_widget(legend), theme)


def _draw_in_lines(plot: pg.PlotWidget) -> None:
    """Draw points and background of `plot` as shapes: on screen they are images."""
    plot.setCacheMode(pg.GraphicsView.CacheModeFlag.CacheNone)
    for item in plot.scene().items():
        if isinstance(item, pg.ScatterPlotItem):
            item.setExportMode(True, {"antialias": True, "resolutionScale": 1.0})


def _height(body: QWidget) -> int:
    """Return how high `body` has to be for all that it says."""
    text = body.findChild(QTextBrowser)
    if text is None:
        return SIZE[1]
    text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    text.document().setTextWidth(text.viewport().width())
    return min(MOST_PX, body.height() - text.height() + round(text.document().size().height()) + 4)


def _settle(body: QWidget) -> None:
    """Let the axes compute their widths, which happens while they are painted and reaches the layout by an event."""
    for _ in range(2):
        body.grab()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
