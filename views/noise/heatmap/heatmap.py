"""A matrix as coloured cells: one row per example, brackets and letters on equal rows, zoom, pan and keys."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from views.noise.arrays.heat_colours import Scale, colour_table
from views.noise.arrays.row_letters import Ints, row_letters, runs_of
from views.noise.heatmap import heatmap_drawing as drawing
from views.noise.heatmap.cell_geometry import CellGeometry, CellWindow
from views.noise.heatmap.cell_marks import CellMarks, draw_marks, marks_beyond, no_marks
from views.noise.heatmap.paint import Paint
from views.noise.heatmap.plot_frame import draw_frame
from views.theme import LIGHT, Theme

Matrix = npt.NDArray[Any]

ZOOM_STEP = 1.25
NOTHING = np.empty(0, np.int64)


class Heatmap(QWidget):
    """Draws what it is given; rows and columns in its signals are places in the matrix, from 0.

    Signals:
        cell_hovered: (row, column) under the pointer or the keyboard's cursor, None when it left.
        row_chosen: the row that was clicked or reached by a key.
        row_added: the row that was clicked with Ctrl, or reached with it and taken by the space bar.
        window_changed: the CellWindow after the person zoomed or moved.
        sampling_changed: (k, l): 1 row in k and 1 column in l is drawn.
    """

    cell_hovered = Signal(object)
    row_chosen = Signal(object)
    row_added = Signal(object)
    window_changed = Signal(object)
    sampling_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._matrix: Matrix = np.zeros((0, 0))
        self._row_names: Sequence[str] = ()
        self._rules: Sequence[int] = ()
        self._block = 0
        self._scale = Scale("diverging", -1.0, 1.0)
        self._letters = row_letters(NOTHING)
        self._marked = runs_of((), 0)
        self._marks = no_marks()
        self._window = CellWindow.whole(1, 1)
        self._sampling = (1, 1)
        self._cursor = (0, 0)
        self._anchor = 0
        """The row that was chosen last; the keyboard's cursor can be elsewhere."""
        self._pressed: QPointF | None = None
        self._dragging = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Heatmap, one row per example"))

    # -- what to show -------------------------------------------------------------------------

    def show_matrix(
        self,
        matrix: Matrix,
        scale: Scale,
        groups: Ints = NOTHING,
        *,
        marks: CellMarks | None = None,
        row_names: Sequence[str] = (),
        rules: Sequence[int] = (),
        block: int = 0,
    ) -> None:
        """Show `matrix` [rows, columns]; rows of one group in `groups` [rows] are lettered.

        `marks` are shapes on cells, by default on those without a colour on `scale`. `row_names` are written beside
        the rows, by default 0, 1, 2 and so on. A line is drawn above each of `rules` and after every `block` columns.
        Zoom stays where the shape does.
        """
        if matrix.shape != self._matrix.shape:
            self._window = CellWindow.whole(*matrix.shape)
            self._cursor = (0, 0)
            self._anchor = 0
        self._matrix, self._scale, self._row_names = matrix, scale, row_names
        self._rules, self._block = rules, block
        self._letters = row_letters(groups[: len(matrix)])
        self._marks = marks_beyond(matrix, scale) if marks is None else marks
        self._note_sampling()
        self.update()

    def mark_rows(self, rows: Collection[int]) -> None:
        """Outline `rows` and bring the first of them into view."""
        self._marked = runs_of(rows, len(self._matrix))
        if len(self._marked.first):
            first = int(self._marked.first[0])
            self._cursor = (first, min(self._cursor[1], self._matrix.shape[1] - 1))
            self._anchor = first
            self._window = self._window.showing(first, int(self._window.left), *self._matrix.shape)
        self.update()

    def show_window(self, window: CellWindow) -> None:
        """Show the same stretch as another heatmap of the same shape does."""
        self._window = window
        self._note_sampling()
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._note_sampling()
        self.update()

    @property
    def shape(self) -> tuple[int, ...]:
        """(rows, columns) of the matrix."""
        return self._matrix.shape

    @property
    def sampling(self) -> tuple[int, int]:
        """(k, l): 1 row in k and 1 column in l is drawn."""
        return self._sampling

    @property
    def anchor(self) -> int:
        """The row that was chosen last."""
        return self._anchor

    @property
    def cursor_cell(self) -> tuple[int, int]:
        """(row, column) of the keyboard's cursor."""
        return self._cursor

    @property
    def marks(self) -> CellMarks:
        """The cells that carry a shape."""
        return self._marks

    def letter_of(self, row: int) -> str:
        """Return the letter at `row`, '' for a row that is like no other."""
        return self._letters.of(row)

    # -- geometry -----------------------------------------------------------------------------

    def geometry_of_cells(self) -> CellGeometry:
        """Return where the cells lie in this widget."""
        left, below = self._letter_width() + self._number_width(), self._number_metrics().height() + 2
        plot = QRectF(left, 2, max(1.0, self.width() - left - 2), max(1.0, self.height() - below - 2))
        rows, columns = self._matrix.shape
        return CellGeometry(plot, self._window, rows, columns, self.devicePixelRatioF())

    def _letter_width(self) -> float:
        if not len(self._letters.numbers):
            return 0.0
        widest = "AA" if self._letters.numbers.max() >= 26 else "A"
        letters = QFontMetricsF(self._theme.font(0.85, bold=True))
        return letters.horizontalAdvance(widest) + self._theme.px(11)

    def _number_width(self) -> float:
        names = self._row_names or (f"{max(0, len(self._matrix) - 1):,}",)
        return max(map(self._number_metrics().horizontalAdvance, names)) + self._theme.px(8)

    def _number_metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._theme.font(0.8, bold=True))

    def _row_name(self, row: int) -> str:
        return self._row_names[row] if self._row_names else f"{row:,}"

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._matrix.size == 0:
            return
        geometry = self.geometry_of_cells()
        plot = geometry.plot
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint = Paint(painter, geometry, self._theme)
        letters = QRectF(0, plot.top(), self._letter_width(), plot.height())
        numbers = QRectF(letters.right(), plot.top(), plot.left() - letters.right(), plot.height())
        drawing.draw_letters(paint, self._letters, letters)
        drawing.draw_row_numbers(paint, numbers, self._row_name, self._marked)
        below = QRectF(plot.left(), plot.bottom(), plot.width(), self.height() - plot.bottom())
        drawing.draw_column_numbers(paint, below, self._block)
        painter.setClipRect(plot)
        table = colour_table(self._scale.kind, self._theme)
        drawing.draw_cells(paint, self._matrix, self._scale, table)
        told = drawing.draw_cell_texts(paint, self._matrix, self._scale, table)
        drawing.draw_rules(paint, self._rules, self._block)
        if any(self._marks.counts):
            draw_marks(paint, self._marks, self._matrix, self._scale, in_corner=told)
        drawing.draw_marked_rows(paint, self._marked)
        painter.setClipping(False)
        self._draw_frame(painter, geometry)
        painter.end()

    def _draw_frame(self, painter: QPainter, geometry: CellGeometry) -> None:
        draw_frame(painter, self._theme, geometry.plot, focused=self.hasFocus())
        row, column = self._cursor
        cell = geometry.cell_rectangle(row, row, column, column)
        if self.hasFocus() and geometry.plot.intersects(cell):
            painter.setPen(QPen(QColor(self._theme.text), 1, Qt.PenStyle.DashLine))
            painter.drawRect(cell)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._note_sampling()

    def _note_sampling(self) -> None:
        geometry = self.geometry_of_cells()
        sampling = (geometry.rows_drawn().step, geometry.columns_drawn().step)
        if sampling != self._sampling:
            self._sampling = sampling
            self.sampling_changed.emit(sampling)

    # -- mouse --------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragging = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            self.cell_hovered.emit(self.geometry_of_cells().cell_at(event.position()))
            return
        moved = event.position() - self._pressed
        if not self._dragging and moved.manhattanLength() < QApplication.startDragDistance():
            return
        self._dragging, self._pressed = True, event.position()
        geometry = self.geometry_of_cells()
        self._move_to(
            self._window.moved(-moved.y() / geometry.cell_height, -moved.x() / geometry.cell_width, *self._matrix.shape)
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        clicked = self._pressed is not None and not self._dragging
        self._pressed, self._dragging = None, False
        cell = self._cell_in_row_of(event.position()) if clicked else None
        if cell is not None and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._cursor = cell
            self.row_added.emit(cell[0])
        elif cell is not None:
            self._go_to(*cell)

    def _cell_in_row_of(self, point: QPointF) -> tuple[int, int] | None:
        """Return the cell at `point`; beside the cells, on letters and numbers, the first one of that row."""
        plot = self.geometry_of_cells().plot
        return self.geometry_of_cells().cell_at(QPointF(max(point.x(), plot.left()), point.y()))

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self._pressed = None
        self._move_to(CellWindow.whole(*self._matrix.shape))

    def wheelEvent(self, event: QWheelEvent) -> None:
        geometry = self.geometry_of_cells()
        at = event.position()
        self._zoom(ZOOM_STEP ** (-event.angleDelta().y() / 120), geometry.row_at(at.y()), geometry.column_at(at.x()))
        event.accept()

    def leaveEvent(self, _event: QEvent) -> None:
        self.cell_hovered.emit(None)

    # -- keys ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, column = self._cursor
        targets = self._targets(row, column)
        zooms = {Qt.Key.Key_Plus: 1 / ZOOM_STEP, Qt.Key.Key_Equal: 1 / ZOOM_STEP, Qt.Key.Key_Minus: ZOOM_STEP}
        key = Qt.Key(event.key())
        kept = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        control = kept == Qt.KeyboardModifier.ControlModifier
        if self._matrix.size == 0 or (kept and not (control and (key in targets or key == Qt.Key.Key_Space))):
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Space:
            self.row_added.emit(row)
        elif key in targets:
            self._go_to(*targets[key], choose=not control)
        elif key in zooms:
            self._zoom(zooms[key], row + 0.5, column + 0.5)
        elif key == Qt.Key.Key_0:
            self._move_to(CellWindow.whole(*self._matrix.shape))
        else:
            super().keyPressEvent(event)

    def _targets(self, row: int, column: int) -> dict[Qt.Key, tuple[int, int]]:
        """Return the cell that each key leads to from this one."""
        page = max(1, int(self._window.bottom - self._window.top) - 1)
        last = len(self._matrix) - 1
        return {
            Qt.Key.Key_Up: (row - 1, column),
            Qt.Key.Key_Down: (row + 1, column),
            Qt.Key.Key_Left: (row, column - 1),
            Qt.Key.Key_Right: (row, column + 1),
            Qt.Key.Key_PageUp: (row - page, column),
            Qt.Key.Key_PageDown: (row + page, column),
            Qt.Key.Key_Home: (0, column),
            Qt.Key.Key_End: (last, column),
            Qt.Key.Key_Return: (row, column),
            Qt.Key.Key_Enter: (row, column),
        }

    def _go_to(self, row: int, column: int, *, choose: bool = True) -> None:
        rows, columns = self._matrix.shape
        self._cursor = (max(0, min(rows - 1, row)), max(0, min(columns - 1, column)))
        self._move_to(self._window.showing(*self._cursor, rows, columns))
        self.cell_hovered.emit(self._cursor)
        if choose:
            self._anchor = self._cursor[0]
            self.row_chosen.emit(self._anchor)

    def _zoom(self, factor: float, row: float, column: float) -> None:
        self._move_to(self._window.zoomed(factor, row, column, *self._matrix.shape))

    def _move_to(self, window: CellWindow) -> None:
        if window == self._window:
            self.update()
            return
        self.show_window(window)
        self.window_changed.emit(window)
