"""PeakCurve draws a long row of numbers so that no peak is lost; up to FEW of them as points with numbers."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from views.noise.arrays.heat_colours import Scale
from views.noise.arrays.picture_choice import value_words
from views.noise.heatmap.cell_geometry import CENTRE, TEXT, CellGeometry, draw_frame, plot_room, ticks, write_left
from views.noise.heatmap.cell_plot import CellPlot

Values = npt.NDArray[Any]

MOST_MARKS = 200
MOST_POINTS = 64
"""The most values that are also drawn as points: a line alone suggests values between them."""
POINT = 2.5
"""Pixels, half as wide as a point."""
FEW = 5
"""The most values that are points with their numbers, and no line: between two or three values there is none."""
FEW_POINT = 4.0
DIGITS = 4
"""Significant digits of a few values."""


def peaks(values: Values, pixels: int) -> tuple[Values, Values]:
    """Return the least and the greatest finite value of each of `pixels` even stretches; NaN where there is none."""
    edges = np.arange(pixels + 1) * len(values) // pixels
    low, high = (each.reduceat(values, edges[:-1]).astype(np.float64) for each in (np.minimum, np.maximum))
    # Only stretches with other values are looked through one by one, and copied for that.
    for place in np.flatnonzero(~(np.isfinite(low) & np.isfinite(high))).tolist():
        stretch = values[edges[place] : edges[place + 1]]
        finite = stretch[np.isfinite(stretch)]
        low[place], high[place] = (finite.min(), finite.max()) if len(finite) else (np.nan, np.nan)
    return low, high


class PeakCurve(CellPlot):
    """Draws values over their index, one value per example: a matrix of one column."""

    rows_lie_across = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: Values = np.zeros(1)
        self._scale = Scale("diverging", -1.0, 1.0)
        self._not_finite = np.zeros(0, int)
        """The places of values that are not finite."""
        self.setAccessibleName(self.tr("Line, one value for each index"))

    def show_values(self, values: Values, scale: Scale) -> None:
        """Show `values` [n], n > 0, on the vertical range of `scale`."""
        self._values, self._scale = values, scale
        self._not_finite = np.flatnonzero(~np.isfinite(values))
        self.show_shape(len(values), 1)

    def plot_room(self) -> QRectF:
        return plot_room(self.theme, self.size(), (value_words(self._scale.low, 3), value_words(self._scale.high, 3)))

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self.geometry_of_cells()
        self._draw_axes(painter, places)
        painter.setClipRect(places.plot)
        self._draw_marks(painter, places)
        painter.setPen(QPen(QColor(self.theme.series_colour(0)), self.theme.line_width * self.theme.scale))
        self._draw_values(painter, places)
        self._write_last(painter, places)
        self._draw_not_finite(painter, places)
        painter.end()

    def _draw_axes(self, painter: QPainter, places: CellGeometry) -> None:
        plot = places.plot
        painter.setFont(self.theme.font(TEXT))
        metrics = QFontMetricsF(painter.font())
        painter.fillRect(plot, QColor(self.theme.background))
        for value in self._levels(plot, metrics.height()):
            y = self._y(value, plot)
            painter.setPen(QColor(self.theme.hairline))
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
            painter.setPen(QColor(self.theme.dim))
            write_left(painter, plot, y, value_words(value, 3))
        room = metrics.horizontalAdvance(f"{len(self._values):,}") + 12
        columns = ticks(places.window.left, places.window.right, places.cell_width, room)
        for column in columns:
            x = min(places.x(column + 0.5) - room / 2, plot.right() - room + 6)
            words, gap = self.tr("index {}").format(f"{column:,}"), columns.step * places.cell_width - room / 2
            if column != columns.start or metrics.horizontalAdvance(words) / 2 > gap:
                words = f"{column:,}"
            place = QRectF(x, plot.bottom() + 2, room, metrics.height())
            painter.drawText(place, CENTRE | Qt.TextFlag.TextDontClip, words)
        draw_frame(painter, self.theme, plot, focused=self.hasFocus())

    def _levels(self, plot: QRectF, high: float) -> list[float]:
        """Return the ends of the scale, 0, and round values between them, two lines of `high` pixels from any other."""
        levels = list(dict.fromkeys((self._scale.high, 0.0, self._scale.low)))
        pixels = self._y(self._scale.low, plot) - self._y(self._scale.high, plot)
        span = self._scale.high - self._scale.low
        unit = 10.0 ** (math.floor(math.log10(span)) - 2)
        steps = ticks(self._scale.low / unit, self._scale.high / unit, pixels * unit / span, 2 * high)
        round_values = (step * unit for step in steps)
        return levels + [
            each for each in round_values if all(abs(each - end) * pixels > 2 * high * span for end in levels)
        ]

    def _draw_values(self, painter: QPainter, places: CellGeometry) -> None:
        start, stop = int(places.window.left), min(places.columns, math.ceil(places.window.right))
        seen, pixels = self._values[start:stop], max(1, int(places.plot.width()))
        if len(seen) <= pixels:
            points = [
                QPointF(places.x(start + place + 0.5), self._y(float(value), places.plot))
                for place, value in enumerate(seen)
                if np.isfinite(value)
            ]
            if not self._are_few:
                # Not as one polyline: wider than a pixel, Qt fills it as one shape, which takes fifty times as long.
                painter.drawLines([QLineF(*ends) for ends in pairwise(points)])
            if len(points) <= MOST_POINTS:
                size = (FEW_POINT if self._are_few else POINT) * self.theme.scale
                painter.setBrush(QColor(self.theme.series_colour(0)))
                for point in points:
                    painter.drawEllipse(point, size, size)
            if self._are_few:
                self._write_values(painter, places)
            return
        low, high = peaks(seen, pixels)
        some = np.flatnonzero(~np.isnan(low))
        x = places.x(start + (some + 0.5) * len(seen) / pixels).tolist()
        tops, bottoms = self._y(high[some], places.plot).tolist(), self._y(low[some], places.plot).tolist()
        painter.drawLines([QLineF(*ends) for ends in zip(x, tops, x, bottoms, strict=True)])

    def _write_values(self, painter: QPainter, places: CellGeometry) -> None:
        """Write each value at its point: above it, below it where it is negative; fewer digits where they must fit."""
        painter.setFont(self.theme.font(bold=True))
        painter.setPen(QColor(self.theme.text))
        metrics = QFontMetricsF(painter.font())
        high = metrics.height()
        for place, value in enumerate(self._values):
            y = self._y(float(value), places.plot) if np.isfinite(value) else places.plot.bottom() - FEW_POINT
            below = np.isfinite(value) and value < 0
            room = QRectF(0, y + 2 * FEW_POINT if below else y - high - 2 * FEW_POINT, places.cell_width, high)
            room.moveLeft(places.x(float(place)))
            choices = [value_words(value.item(), digits) for digits in range(DIGITS, 0, -1)]
            fits = (words for words in choices if metrics.horizontalAdvance(words) <= room.width())
            painter.drawText(room, CENTRE | Qt.TextFlag.TextDontClip, next(fits, choices[-1]))

    def _write_last(self, painter: QPainter, places: CellGeometry) -> None:
        """Write the last value at its end: near the axis, two curves differ in nothing else that is seen."""
        last, plot = self._values[-1], places.plot
        if self._are_few or places.window.right < len(self._values) or not np.isfinite(last):
            return
        words, metrics = value_words(last.item(), DIGITS), QFontMetricsF(painter.font())
        room = QRectF(0, 0, metrics.horizontalAdvance(words), metrics.height() + 2 * POINT)
        end = self._values[-1 - math.ceil((room.width() + 2 * POINT) / places.cell_width) :]
        end = end[np.isfinite(end)]
        # Above or below the end of the curve; where that fills the plot, as noise does, the last value says nothing.
        room.moveBottomRight(QPointF(plot.right() - 2 * POINT, self._y(float(end.max()), plot)))
        if room.top() < plot.top():
            room.moveTop(self._y(float(end.min()), plot))
        if room.bottom() <= plot.bottom():
            painter.setPen(QColor(self.theme.text))
            painter.drawText(room, CENTRE | Qt.TextFlag.TextDontClip, words)

    def _draw_not_finite(self, painter: QPainter, places: CellGeometry) -> None:
        """Mark values that are not finite by crosses along the lower edge; where crosses would overlap, only one."""
        plot, size = places.plot, 4
        x = places.x(self._not_finite + 0.5)
        x = x[(x >= plot.left()) & (x <= plot.right())]
        y = plot.bottom() - 2 * size
        painter.setPen(QPen(QColor(self.theme.text), 1.5))
        apart = np.unique(np.floor(x / 6), return_index=True)[1]
        for each in x[apart].clip(plot.left() + size, plot.right() - size).tolist():
            painter.drawLine(QLineF(each - size, y - size, each + size, y + size))
            painter.drawLine(QLineF(each - size, y + size, each + size, y - size))

    def _draw_marks(self, painter: QPainter, places: CellGeometry) -> None:
        painter.setPen(QPen(QColor(self.theme.focus), 2 * self.theme.scale, Qt.PenStyle.DashLine))
        for first, last in zip(self._marked.first[:MOST_MARKS], self._marked.last[:MOST_MARKS], strict=True):
            left, right = places.x(float(first)), places.x(float(last + 1))
            painter.fillRect(
                QRectF(left, places.plot.top(), right - left, places.plot.height()), self.theme.focus_fill()
            )
            middle = (left + right) / 2
            painter.drawLine(QLineF(middle, places.plot.top(), middle, places.plot.bottom()))

    @property
    def _are_few(self) -> bool:
        return len(self._values) <= FEW

    def _y(self, value: Any, plot: QRectF) -> Any:
        # The numbers of a few values have room beyond the outermost ones, and no curve lies on the frame.
        margin = QFontMetricsF(self.theme.font()).height() + 4 * FEW_POINT if self._are_few else self.theme.px(8)
        return plot.bottom() - margin - self._scale.share(value) * (plot.height() - 2 * margin)
