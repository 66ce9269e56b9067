"""marks_beyond(), draw_marks(): cells without a colour (NaN, infinity, beyond the scale), a shape for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QColor, QPen, QPolygonF

from views.noise.arrays.heat_colours import Scale
from views.noise.heatmap.cell_geometry import CellGeometry, PlotPainter

Matrix = npt.NDArray[Any]
Kinds = npt.NDArray[np.int8]
Places = npt.NDArray[np.intp]

BELOW, ABOVE, MINUS_INFINITY, INFINITY, NAN = range(5)
"""Kinds of marks; where two would overlap, the later one is drawn."""
SYMBOLS = {NAN: "×", INFINITY: "∧", MINUS_INFINITY: "∨", ABOVE: "▲", BELOW: "▼"}
"""The same shapes as text, for a legend."""
MOST_LISTED = 100_000
"""The most marked cells that are all marked; of more, only those among the drawn cells."""
MOST_DRAWN = 3000


class CellMarks(msgspec.Struct, frozen=True):
    """The marked cells of a matrix."""

    rows: Places
    columns: Places
    kinds: Kinds
    """One entry for each marked cell; empty where there are too many to list."""
    counts: tuple[int, ...]
    """How many cells carry each kind, those that are not listed too."""

    @property
    def listed(self) -> bool:
        return len(self.kinds) == sum(self.counts)


def no_marks() -> CellMarks:
    """Return marks on no cell at all."""
    nowhere = np.empty(0, np.intp)
    return CellMarks(nowhere, nowhere, np.empty(0, np.int8), (0,) * len(SYMBOLS))


def marks_beyond(matrix: Matrix, scale: Scale) -> CellMarks:
    """Return a mark for each cell of `matrix` whose value has no colour on `scale`."""
    if matrix.dtype.kind == "b" or matrix.size == 0:
        return no_marks()
    beyond = ~_inside(matrix, scale)
    if not beyond.any():
        return no_marks()
    kinds = kinds_of(matrix[beyond])
    counts = tuple(np.bincount(kinds, minlength=len(SYMBOLS)).tolist())
    if len(kinds) > MOST_LISTED:
        return replace(no_marks(), counts=counts)
    rows, columns = np.nonzero(beyond)
    return CellMarks(rows, columns, kinds, counts)


def _inside(values: Matrix, scale: Scale) -> npt.NDArray[np.bool_]:
    """Return bool[...]: whether each value is on `scale`; False for NaN and infinity."""
    low, high = scale.low, scale.high
    if values.dtype.kind == "f":
        largest = float(np.finfo(values.dtype).max)
        low, high = max(low, -largest), min(high, largest)
    return (values >= low) & (values <= high)


def kinds_of(values: Matrix) -> Kinds:
    """Return the kind of each of `values`, all of which are beyond their scale."""
    kinds = np.where(values > 0, ABOVE, BELOW).astype(np.int8)
    if values.dtype.kind == "f":
        kinds[values == np.inf] = INFINITY
        kinds[values == -np.inf] = MINUS_INFINITY
        kinds[np.isnan(values)] = NAN
    return kinds


def draw_marks(paint: PlotPainter, marks: CellMarks, matrix: Matrix, scale: Scale, *, in_corner: bool) -> None:
    """Draw the visible marks, large enough to be seen; where marks would overlap, only one.

    They are centred in their cells; those of numbers beyond the scale `in_corner` where the number is in the middle.
    """
    geometry = paint.geometry
    if not marks.listed:
        marks = _among_drawn(geometry, matrix, scale)
    window = geometry.window
    rows, columns = marks.rows, marks.columns
    seen = (rows + 1 > window.top) & (rows < window.bottom) & (columns + 1 > window.left) & (columns < window.right)
    size = max(3.5, min(7.0 * paint.theme.scale, 0.3 * geometry.cell_width, 0.3 * geometry.cell_height))
    x, y, kinds = geometry.x(columns[seen] + 0.5), geometry.y(rows[seen] + 0.5), marks.kinds[seen]
    if in_corner:
        moved = np.isin(kinds, (ABOVE, BELOW))
        x = x + moved * (geometry.cell_width / 2 - 1.5 * size)
        y = y - moved * (geometry.cell_height / 2 - 1.5 * size)
    apart = (2 if min(geometry.cell_width, geometry.cell_height) >= 2 * size else 3) * size
    chosen = _thinned(x - geometry.plot.left(), y - geometry.plot.top(), kinds, apart)
    for halo in (True, False):
        for place in chosen.tolist():
            draw_shape(paint, int(kinds[place]), QPointF(float(x[place]), float(y[place])), size, halo=halo)


def _among_drawn(geometry: CellGeometry, matrix: Matrix, scale: Scale) -> CellMarks:
    rows, columns = geometry.rows_drawn(), geometry.columns_drawn()
    cells = matrix[rows.start : rows.stop : rows.step, columns.start : columns.stop : columns.step]
    down, right = np.nonzero(~_inside(cells, scale))
    kinds = kinds_of(cells[down, right])
    counts = tuple(np.bincount(kinds, minlength=len(SYMBOLS)).tolist())
    return CellMarks(rows.start + down * rows.step, columns.start + right * columns.step, kinds, counts)


def _thinned(x: Matrix, y: Matrix, kinds: Kinds, size: float) -> Places:
    """Return the indices of the marks to draw: at most one per square of `size` pixels, and a limited number."""
    while True:
        across, down = (x / size).astype(np.intp).clip(0), (y / size).astype(np.intp).clip(0)
        width = int(across.max(initial=0)) + 1
        squares = np.full(width * (int(down.max(initial=0)) + 1), -1, np.intp)
        order = np.argsort(kinds, kind="stable")
        squares[(down * width + across)[order]] = order
        chosen = squares[squares >= 0]
        if len(chosen) <= MOST_DRAWN:
            return chosen
        size *= 1.5


def draw_shape(paint: PlotPainter, kind: int, at: QPointF, size: float, *, halo: bool) -> None:
    """Draw the shape of `kind` around `at`, or the `halo` that sets it off from the cell under it."""
    colour = QColor(paint.theme.background if halo else paint.theme.text)
    paint.painter.setPen(QPen(colour, 3.5 if halo else 1.5))
    if kind in (ABOVE, BELOW):
        paint.painter.setBrush(colour)
        paint.painter.drawPolygon(_triangle(at, size if kind == ABOVE else -size))
        paint.painter.setBrush(QColor(0, 0, 0, 0))
    else:
        paint.painter.drawLines(list(_lines(kind, at.x(), at.y(), size)))


def _triangle(at: QPointF, size: float) -> QPolygonF:
    half = 0.6 * size
    corners = (QPointF(0, -half), QPointF(abs(half), half), QPointF(-abs(half), half))
    return QPolygonF([at + corner for corner in corners])


def _lines(kind: int, x: float, y: float, size: float) -> Iterator[QLineF]:
    if kind == NAN:
        yield QLineF(x - size, y - size, x + size, y + size)
        yield QLineF(x - size, y + size, x + size, y - size)
    else:
        tip = -size if kind == INFINITY else size
        yield QLineF(x - size, y - tip, x, y + tip)
        yield QLineF(x, y + tip, x + size, y - tip)
