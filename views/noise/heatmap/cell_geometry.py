"""The geometry of a matrix on screen: its visible cells, and pixels from rows and columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF

Number = TypeVar("Number", float, npt.NDArray[Any])

FEWEST_CELLS = 4
"""The fewest visible rows or columns, where zooming in stops."""


@dataclass(frozen=True)
class CellWindow:
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


@dataclass(frozen=True)
class CellGeometry:
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
    step = 1
    for factor in _steps():
        step = factor
        if factor * pixels_each >= least_pixels:
            break
    return range(math.ceil(start / step) * step, math.ceil(end), step)


def _steps() -> list[int]:
    return [factor * 10**power for power in range(10) for factor in (1, 2, 5)]
