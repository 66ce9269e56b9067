"""Geometry of plots: cells to pixels and back, the visible window and its zoom, moves by key, frame and ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPen

from views.theme import Theme

_IGNORED = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier


def index_after_key(event: QKeyEvent, place: int, count: int, *, line: int = 1, page: int = 1) -> int | None:
    """Return where a key leads from `place` of `count`: arrows by one or a `line`, Page keys by a `page`; else None."""
    steps = {
        Qt.Key.Key_Left: -1,
        Qt.Key.Key_Right: 1,
        Qt.Key.Key_Up: -line,
        Qt.Key.Key_Down: line,
        Qt.Key.Key_PageUp: -page,
        Qt.Key.Key_PageDown: page,
        Qt.Key.Key_Home: -count,
        Qt.Key.Key_End: count,
        Qt.Key.Key_Return: 0,
        Qt.Key.Key_Enter: 0,
    }
    key = Qt.Key(event.key())
    return max(0, min(count - 1, place + steps[key])) if count and key in steps and is_plain(event) else None


def is_plain(event: QKeyEvent) -> bool:
    """Return whether a key was pressed alone."""
    return event.modifiers() & ~_IGNORED == Qt.KeyboardModifier.NoModifier


TEXT = 0.8
"""Size of the words, relative to the interface's."""
CENTRE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PlotPainter(msgspec.Struct, frozen=True):
    """A painter, the geometry of the cells, and the colours."""

    painter: QPainter
    geometry: CellGeometry
    theme: Theme


def plot_room(theme: Theme, size: QSize, labels: Iterable[str]) -> QRectF:
    """Return the rectangle of a plot in a widget of `size`, with room for the `labels` at the left and a line below."""
    metrics = QFontMetricsF(theme.font(TEXT))
    left = max(map(metrics.horizontalAdvance, labels)) + theme.px(8)
    return QRectF(left, 4, max(1.0, size.width() - left - 6), max(1.0, size.height() - metrics.height() - 8))


def draw_frame(painter: QPainter, theme: Theme, plot: QRectF, *, focused: bool) -> None:
    """Draw the frame around `plot`, a strong one where the keyboard is."""
    painter.setPen(QPen(QColor(theme.focus if focused else theme.hairline), 2 if focused else 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(plot)


def write_left(painter: QPainter, plot: QRectF, y: float, words: str) -> None:
    """Write `words` left of `plot` at height `y`, or as near to it as leaves them whole."""
    high = QFontMetricsF(painter.font()).height()
    top = max(0.0, min(plot.bottom() - high, y - high / 2))
    painter.drawText(QRectF(0, top, plot.left() - 4, high), RIGHT, words)


def write_below(painter: QPainter, plot: QRectF, x: float, words: str, width: float) -> None:
    """Write `words` below `plot` around `x`, or as near to it as leaves them whole in a widget of this `width`."""
    metrics = QFontMetricsF(painter.font())
    wide = metrics.horizontalAdvance(words) + 4
    left = max(0.0, min(width - wide, x - wide / 2))
    painter.drawText(QRectF(left, plot.bottom() + 2, wide, metrics.height()), CENTRE, words)


Number = TypeVar("Number", float, npt.NDArray[Any])

FEWEST_CELLS = 4
"""The fewest visible rows or columns, where zooming in stops."""


class CellWindow(msgspec.Struct, frozen=True):
    """The stretch of a matrix that is in view, in cells."""

    top: float
    bottom: float
    left: float
    right: float

    @staticmethod
    def whole(rows: int, columns: int) -> CellWindow:
        return CellWindow(0, rows, 0, columns)

    def zoomed(self, factor: float, row: float, column: float, rows: int, columns: int) -> CellWindow:
        """Return the window scaled by `factor`, with (row, column) fixed on screen."""
        top, bottom = _zoomed(self.top, self.bottom, factor, row, rows)
        left, right = _zoomed(self.left, self.right, factor, column, columns)
        return CellWindow(top, bottom, left, right)

    def moved(self, down: float, right: float, rows: int, columns: int) -> CellWindow:
        """Return the window moved by `down` and `right` cells, clipped at the edges of the matrix."""
        top, bottom = _moved(self.top, self.bottom, down, rows)
        left, right_end = _moved(self.left, self.right, right, columns)
        return CellWindow(top, bottom, left, right_end)

    def showing(self, row: int, column: int, rows: int, columns: int) -> CellWindow:
        """Return the window moved as little as needed for the cell to be in view."""
        down = min(0.0, row - self.top) + max(0.0, row + 1 - self.bottom)
        right = min(0.0, column - self.left) + max(0.0, column + 1 - self.right)
        return self.moved(down, right, rows, columns)


def _zoomed(start: float, end: float, factor: float, fixed: float, count: int) -> tuple[float, float]:
    length = min(float(count), max(min(FEWEST_CELLS, count), (end - start) * factor))
    share = (fixed - start) / (end - start)
    return _moved(fixed - share * length, fixed + (1 - share) * length, 0.0, count)


def _moved(start: float, end: float, by: float, count: int) -> tuple[float, float]:
    length = end - start
    start = max(0.0, min(count - length, start + by))
    return start, start + length


class CellGeometry(msgspec.Struct, frozen=True):
    """A window of a matrix laid over a rectangle of a widget."""

    plot: QRectF
    window: CellWindow
    rows: int
    columns: int
    pixel_ratio: float = 1.0

    @property
    def cell_width(self) -> float:
        return self.plot.width() / (self.window.right - self.window.left)

    @property
    def cell_height(self) -> float:
        return self.plot.height() / (self.window.bottom - self.window.top)

    def x(self, column: Number) -> Number:
        return self.plot.left() + (column - self.window.left) * self.cell_width

    def y(self, row: Number) -> Number:
        return self.plot.top() + (row - self.window.top) * self.cell_height

    def row_at(self, y: float) -> float:
        return self.window.top + (y - self.plot.top()) / self.cell_height

    def column_at(self, x: float) -> float:
        return self.window.left + (x - self.plot.left()) / self.cell_width

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """Return (row, column) under `point`, None outside of the plot."""
        if not self.plot.contains(point):
            return None
        row, column = int(self.row_at(point.y())), int(self.column_at(point.x()))
        return (row, column) if row < self.rows and column < self.columns else None

    def cell_rectangle(self, first_row: int, last_row: int, first_column: int, last_column: int) -> QRectF:
        """Return the rectangle around a block of cells, last row and column included."""
        top_left = QPointF(self.x(first_column), self.y(first_row))
        return QRectF(top_left, QPointF(self.x(last_column + 1), self.y(last_row + 1)))

    def rows_drawn(self) -> range:
        """Return the visible rows, every k-th of them where there are more rows than pixels."""
        return _drawn(self.window.top, self.window.bottom, self.rows, self.plot.height() * self.pixel_ratio)

    def columns_drawn(self) -> range:
        """Return the visible columns, every k-th of them where there are more columns than pixels."""
        return _drawn(self.window.left, self.window.right, self.columns, self.plot.width() * self.pixel_ratio)


def _drawn(start: float, end: float, count: int, pixels: float) -> range:
    # Steps are counted from the first cell of the matrix, so that panning draws the same cells again.
    step = max(1, math.ceil((end - start) / max(1.0, pixels)))
    return range(int(start) // step * step, min(count, math.ceil(end)), step)


def ticks(start: float, end: float, pixels_each: float, least_pixels: float) -> range:
    """Return round numbers from `start` to `end` with at least `least_pixels` between them on screen."""
    steps = [factor * 10**power for power in range(10) for factor in (1, 2, 5)]
    step = next((each for each in steps if each * pixels_each >= least_pixels), steps[-1])
    return range(math.ceil(start / step) * step, math.ceil(end), step)
