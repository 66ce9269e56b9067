"""What a plot draws: lines with their points and bars, words at their ends, and a floor under them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPen

from views.theme import Theme

Values = npt.NDArray[np.float64]

STRONG = 1.75
GAP_PX = 5
ALONE_REACH = 0.5
"""Powers of ten that a floor goes to each side of a single point."""
PAPER = 200
"""Opacity of what is under words, of 255."""


@dataclass(frozen=True)
class Line:
    """One curve with its points. Coordinates are logarithms to base 10; a NaN in `ys` is a gap."""

    xs: Values
    ys: Values
    below: Values
    """How far the error bar of each point reaches down, 0 for none."""
    above: Values
    hollow: npt.NDArray[np.bool_]
    """Points whose figure is not sure."""
    texts: tuple[str, ...]
    """What each point says when the pointer is on it."""
    colour: str
    symbol: str
    """One of pyqtgraph's, or empty for a bare line."""
    dash: Qt.PenStyle
    strong: bool = False
    end: str = ""
    """A few words at the last point: why the curve goes no further."""

    def pen(self, theme: Theme, dash: Qt.PenStyle) -> QPen:
        """Return a pen of the line's colour and strength."""
        pen = QPen(QColor(self.colour), theme.line_width * (STRONG if self.strong else 1.0), dash)
        pen.setCosmetic(True)
        return pen


class DrawnLine:
    """The plot items of one line."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self._bars = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), top=np.empty(0), bottom=np.empty(0))
        self._curve = pg.PlotCurveItem(antialias=True)
        self._points = pg.ScatterPlotItem(antialias=True)
        self.end = pg.TextItem(anchor=(0.0, 0.5))
        self._anchor = (0.0, 0.5)
        for item in (self._bars, self._curve, self._points):
            plot.addItem(item)
        plot.addItem(self.end, ignoreBounds=True)

    def show(self, line: Line | None, theme: Theme) -> None:
        """Give the items the points and looks of `line`; None empties them."""
        if line is None:
            self._curve.setData([], [])
            self._points.setData(x=[], y=[])
            self._bars.hide()
            self.end.hide()
            return
        solid = line.pen(theme, Qt.PenStyle.SolidLine)
        self._curve.setData(line.xs, line.ys, pen=line.pen(theme, line.dash), connect="finite")
        self._show_end(line, theme)
        there = np.isfinite(line.ys) if line.symbol else np.zeros(len(line.ys), np.bool_)
        brushes = [QColor(theme.background if hollow else line.colour) for hollow in line.hollow[there]]
        self._points.setData(
            x=line.xs[there], y=line.ys[there], symbol=line.symbol or None, size=theme.px(9), pen=solid, brush=brushes
        )
        self._bars.setData(
            x=line.xs[there], y=line.ys[there], top=line.above[there], bottom=line.below[there], pen=solid, beam=0.0
        )
        # Bars without a point would count as one at the origin when the axes look for their range. New data show them.
        self._bars.setVisible(bool(there.any()))

    def _show_end(self, line: Line, theme: Theme) -> None:
        finite = np.flatnonzero(np.isfinite(line.ys))
        self.end.setVisible(bool(line.end) and bool(finite.size))
        if line.end and finite.size:
            self.end.setFont(theme.font(0.85, italic=True))
            last = finite[-1]
            # Beside the point, and over it where the plot ends there.
            gap = theme.px(GAP_PX) / max(1, QFontMetrics(theme.font(0.85, italic=True)).horizontalAdvance(line.end))
            self._anchor = (1.0 + gap, 1.0) if line.xs[last] == line.xs.max() else (-gap, 0.5)
            self.end.setAnchor(self._anchor)
            # Other lines may pass there.
            paper = QColor(theme.background)
            paper.setAlpha(PAPER)
            self.end.fill = QBrush(paper)
            self.end.setText(line.end, QColor(line.colour))
            self.end.setPos(line.xs[last], line.ys[last])

    def shift_end(self, heights: float) -> None:
        """Move the words at the end up by so many times their own height."""
        self.end.setAnchor((self._anchor[0], self._anchor[1] + heights))


class Floor:
    """A line from end to end under which no point can be, with its words."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self.line = pg.PlotDataItem()
        self.words = pg.TextItem(anchor=(0.0, 0.0))
        plot.addItem(self.line)
        plot.addItem(self.words, ignoreBounds=True)

    def show(self, height: float | None, xs: Values, words: str, room: float, theme: Theme) -> None:
        """Draw it at `height` across `xs`, with `room` under it for its words if there is any; None for nothing."""
        self.words.setVisible(height is not None and room > 0)
        self.line.setVisible(height is not None)
        if height is None:
            self.line.setData([], [])
            return
        pen = QPen(QColor(theme.dim), theme.line_width / 2, Qt.PenStyle.DotLine)
        pen.setCosmetic(True)
        left, right = xs.min(), xs.max()
        if left == right:
            left, right = left - ALONE_REACH, right + ALONE_REACH
        # The last point is not drawn: it makes room for the words.
        heights = [height, height, height - room]
        self.line.setData([left, right, right], heights, pen=pen, connect=np.array([1, 0, 0], np.int32))
        self.words.setFont(theme.font(0.85))
        self.words.setText(words, QColor(theme.dim))
        self.words.setPos(left, height)


def end_shifts(places: Sequence[tuple[float, float]], height: float) -> list[float]:
    """Return how far up each text at `places`, in (x, pixels upwards), goes so that those at one x are `height` apart.

    The lowest of them stays where it is.
    """
    shifts = [0.0] * len(places)
    taken: dict[float, float] = {}
    for number in sorted(range(len(places)), key=lambda number: places[number][1]):
        x, y = places[number]
        free = max(y, taken.get(x, -math.inf) + height)
        shifts[number], taken[x] = free - y, free
    return shifts
