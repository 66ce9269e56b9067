"""A long row of numbers as a curve that keeps every peak: each pixel column spans its least to its greatest value."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from views.noise.arrays.cell_words import value_words
from views.noise.arrays.heat_colours import Scale
from views.noise.arrays.row_letters import runs_of
from views.noise.heatmap.cell_geometry import CellGeometry, CellWindow, ticks
from views.noise.heatmap.plot_frame import CENTRE, TEXT, draw_frame, plot_room, write_beside
from views.theme import LIGHT, Theme

Values = npt.NDArray[Any]

ZOOM_STEP = 1.25
MOST_MARKS = 200


def peaks(values: Values, pixels: int) -> tuple[Values, Values]:
    """Return the least and the greatest finite value of each of `pixels` even stretches; NaN where there is none."""
    edges = np.arange(pixels) * len(values) // pixels
    finite = np.where(np.isfinite(values), values, np.nan).astype(np.float64)
    return np.fmin.reduceat(finite, edges), np.fmax.reduceat(finite, edges)


class PeakCurve(QWidget):
    """Draws values against their place, one value per example.

    Signals:
        cell_hovered: (row, 0) under the pointer or reached by a key, None when it left.
        row_chosen: the place that was clicked or reached by a key.
    """

    cell_hovered = Signal(object)
    row_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._values: Values = np.zeros(1)
        self._scale = Scale("diverging", -1.0, 1.0)
        self._window = CellWindow.whole(1, 1)
        self._marked = runs_of((), 0)
        self._cursor = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Curve, one value per example"))

    def show_values(self, values: Values, scale: Scale) -> None:
        """Show `values` [n], n > 0, on the vertical range of `scale`."""
        if len(values) != len(self._values):
            self._window, self._cursor = CellWindow.whole(1, len(values)), 0
        self._values, self._scale = values, scale
        self.update()

    def mark_rows(self, rows: Collection[int]) -> None:
        """Draw an upright line at each of `rows`."""
        self._marked = runs_of(rows, len(self._values))
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def places(self) -> CellGeometry:
        """Return where the values lie in this widget: each has one column of cells."""
        ends = (value_words(self._scale.low, 3), value_words(self._scale.high, 3))
        plot = plot_room(self._theme, self.size(), ends)
        return CellGeometry(plot, self._window, 1, len(self._values), self.devicePixelRatioF())

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self.places()
        self._draw_axes(painter, places)
        painter.setClipRect(places.plot)
        self._draw_marks(painter, places)
        painter.setPen(QPen(QColor(self._theme.series_colour(0)), self._theme.line_width * self._theme.scale))
        self._draw_values(painter, places)
        self._draw_not_finite(painter, places)
        painter.end()

    def _draw_axes(self, painter: QPainter, places: CellGeometry) -> None:
        plot = places.plot
        painter.setFont(self._theme.font(TEXT))
        metrics = QFontMetricsF(painter.font())
        painter.fillRect(plot, QColor(self._theme.background))
        for value in dict.fromkeys((self._scale.high, 0.0, self._scale.low)):
            y = self._y(value, plot)
            painter.setPen(QColor(self._theme.hairline))
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
            painter.setPen(QColor(self._theme.dim))
            write_beside(painter, plot, y, value_words(value, 3))
        room = metrics.horizontalAdvance(f"{len(self._values):,}") + 12
        for column in ticks(places.window.left, places.window.right, places.cell_width, room):
            x = min(places.x(column + 0.5) - room / 2, plot.right() - room + 6)
            painter.drawText(QRectF(x, plot.bottom() + 2, room, metrics.height()), CENTRE, f"{column:,}")
        draw_frame(painter, self._theme, plot, focused=self.hasFocus())

    def _draw_values(self, painter: QPainter, places: CellGeometry) -> None:
        start, stop = int(places.window.left), min(places.columns, math.ceil(places.window.right))
        seen, pixels = self._values[start:stop], max(1, int(places.plot.width()))
        if len(seen) <= pixels:
            points = [
                QPointF(places.x(start + place + 0.5), self._y(float(value), places.plot))
                for place, value in enumerate(seen)
                if np.isfinite(value)
            ]
            painter.drawPolyline(points)
            return
        low, high = peaks(seen, pixels)
        some = np.flatnonzero(~np.isnan(low))
        x = places.x(start + (some + 0.5) * len(seen) / pixels).tolist()
        tops, bottoms = self._y(high[some], places.plot).tolist(), self._y(low[some], places.plot).tolist()
        painter.drawLines([QLineF(*ends) for ends in zip(x, tops, x, bottoms, strict=True)])

    def _draw_not_finite(self, painter: QPainter, places: CellGeometry) -> None:
        """Mark what is not finite by crosses along the lower edge; of those that would overlap, draw one."""
        plot, size = places.plot, 4
        x = places.x(np.flatnonzero(~np.isfinite(self._values)) + 0.5)
        x = x[(x >= plot.left()) & (x <= plot.right())]
        y = plot.bottom() - 2 * size
        painter.setPen(QPen(QColor(self._theme.text), 1.5))
        for each in np.unique(np.floor(x / 6) * 6).clip(plot.left() + size, plot.right() - size).tolist():
            painter.drawLine(QLineF(each - size, y - size, each + size, y + size))
            painter.drawLine(QLineF(each - size, y + size, each + size, y - size))

    def _draw_marks(self, painter: QPainter, places: CellGeometry) -> None:
        painter.setPen(QPen(QColor(self._theme.focus), 2 * self._theme.scale, Qt.PenStyle.DashLine))
        for first, last in zip(self._marked.first[:MOST_MARKS], self._marked.last[:MOST_MARKS], strict=True):
            left, right = places.x(float(first)), places.x(float(last + 1))
            painter.fillRect(
                QRectF(left, places.plot.top(), right - left, places.plot.height()), self._theme.focus_fill()
            )
            middle = (left + right) / 2
            painter.drawLine(QLineF(middle, places.plot.top(), middle, places.plot.bottom()))

    def _y(self, value: Any, plot: QRectF) -> Any:
        return plot.bottom() - 3 - self._scale.share(value) * (plot.height() - 6)

    # -- mouse and keys -----------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = self.places().cell_at(event.position())
        self.cell_hovered.emit((cell[1], 0) if cell else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        cell = self.places().cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self._go_to(cell[1])

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self._move_to(CellWindow.whole(1, len(self._values)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        factor = ZOOM_STEP ** (-event.angleDelta().y() / 120)
        self._zoom(factor, self.places().column_at(event.position().x()))
        event.accept()

    def leaveEvent(self, _event: QEvent) -> None:
        self.cell_hovered.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        targets = {
            Qt.Key.Key_Up: self._cursor - 1,
            Qt.Key.Key_Down: self._cursor + 1,
            Qt.Key.Key_Left: self._cursor - 1,
            Qt.Key.Key_Right: self._cursor + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(self._values) - 1,
            Qt.Key.Key_Return: self._cursor,
            Qt.Key.Key_Enter: self._cursor,
        }
        zooms = {Qt.Key.Key_Plus: 1 / ZOOM_STEP, Qt.Key.Key_Equal: 1 / ZOOM_STEP, Qt.Key.Key_Minus: ZOOM_STEP}
        key = Qt.Key(event.key())
        if key in targets:
            self._go_to(max(0, min(len(self._values) - 1, targets[key])))
        elif key in zooms:
            self._zoom(zooms[key], self._cursor + 0.5)
        elif key == Qt.Key.Key_0:
            self._move_to(CellWindow.whole(1, len(self._values)))
        else:
            super().keyPressEvent(event)

    def _go_to(self, row: int) -> None:
        self._cursor = row
        self._move_to(self._window.showing(0, row, 1, len(self._values)))
        self.cell_hovered.emit((row, 0))
        self.row_chosen.emit(row)

    def _zoom(self, factor: float, column: float) -> None:
        self._move_to(self._window.zoomed(factor, 0.5, column, 1, len(self._values)))

    def _move_to(self, window: CellWindow) -> None:
        self._window = window
        self.update()
