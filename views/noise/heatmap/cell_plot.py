"""CellPlot, the base of heatmap and curve: moving, zooming and choosing cells by mouse and keys."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from explorer.figures.row_letters import runs_of
from views.noise.heatmap.cell_geometry import CellGeometry, CellWindow, index_after_key, is_plain
from views.theme import Themed

ZOOM_STEP = 1.25
ZOOMS = {Qt.Key.Key_Plus: 1 / ZOOM_STEP, Qt.Key.Key_Equal: 1 / ZOOM_STEP, Qt.Key.Key_Minus: ZOOM_STEP}

Cell = tuple[int, int]


class CellPlot(Themed, QWidget):
    """Rows and columns in its signals are indices into the matrix, from 0.

    Signals:
        cell_hovered: (row, column) under the pointer or the keyboard's cursor, None when it left.
        row_chosen: the row that was clicked or reached by a key.
    """

    cell_hovered = Signal(object)
    row_chosen = Signal(object)

    rows_lie_across = False
    """Whether the rows of the matrix run across the screen, as columns usually do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shape: Cell = (0, 0)
        """(rows, columns) of the matrix."""
        self._window = CellWindow.whole(1, 1)
        self._marked = runs_of((), 0)
        self._cursor: Cell = (0, 0)
        self._pressed: QPointF | None = None
        self._dragging = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def plot_room(self) -> QRectF:
        """Return the rectangle of the cells in this widget."""
        raise NotImplementedError

    def show_shape(self, rows: int, columns: int) -> None:
        """Set the matrix shape; zoom and cursor are kept if it is unchanged."""
        if (rows, columns) != self.shape:
            self.shape, self._cursor = (rows, columns), (0, 0)
            self._window = CellWindow.whole(*self._on_screen(self.shape))
        self.update()

    def mark_rows(self, rows: Collection[int]) -> None:
        """Outline `rows` and bring the first of them into view."""
        self._marked = runs_of(rows, self.shape[0])
        if len(self._marked.first):
            first = int(self._marked.first[0])
            self._cursor = (first, min(self._cursor[1], self.shape[1] - 1))
            start = int(self._window.top if self.rows_lie_across else self._window.left)
            self._window = self._window.showing(*self._on_screen((first, start)), *self._on_screen(self.shape))
        self.update()

    def show_window(self, window: CellWindow) -> None:
        """Show this stretch."""
        self._window = window
        self.update()

    def geometry_of_cells(self) -> CellGeometry:
        """Return the geometry of the cells in this widget."""
        return CellGeometry(self.plot_room(), self._window, *self._on_screen(self.shape), self.devicePixelRatioF())

    def _on_screen(self, cell: Cell) -> Cell:
        """Return `cell` of the matrix as (down, right) on screen, swapped where rows run across."""
        return (cell[1], cell[0]) if self.rows_lie_across else cell

    # -- mouse --------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragging = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        geometry = self.geometry_of_cells()
        if self._pressed is None:
            cell = geometry.cell_at(event.position())
            self.cell_hovered.emit(self._on_screen(cell) if cell else None)
            return
        moved = event.position() - self._pressed
        if not self._dragging and moved.manhattanLength() < QApplication.startDragDistance():
            return
        self._dragging, self._pressed = True, event.position()
        by = (-moved.y() / geometry.cell_height, -moved.x() / geometry.cell_width)
        self.show_window(self._window.moved(*by, geometry.rows, geometry.columns))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        clicked = self._pressed is not None and not self._dragging
        self._pressed, self._dragging = None, False
        geometry, at = self.geometry_of_cells(), event.position()
        # Beside the cells, on letters and numbers, the first one of that row.
        cell = geometry.cell_at(QPointF(max(at.x(), geometry.plot.left()), at.y())) if clicked else None
        if cell is not None:
            self._go_to(self._on_screen(cell))

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self._pressed = None
        self.show_window(CellWindow.whole(*self._on_screen(self.shape)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        geometry, at = self.geometry_of_cells(), event.position()
        self._zoom(ZOOM_STEP ** (-event.angleDelta().y() / 120), geometry.row_at(at.y()), geometry.column_at(at.x()))
        event.accept()

    def leaveEvent(self, _event: QEvent) -> None:
        self.cell_hovered.emit(None)

    # -- keys ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, cell = Qt.Key(event.key()), self._reached(event)
        down, right = self._on_screen(self._cursor)
        if cell is not None:
            self._go_to(cell)
        elif 0 in self.shape or not is_plain(event):
            super().keyPressEvent(event)
        elif key in ZOOMS:
            self._zoom(ZOOMS[key], down + 0.5, right + 0.5)
        elif key == Qt.Key.Key_0:
            self.show_window(CellWindow.whole(*self._on_screen(self.shape)))
        else:
            super().keyPressEvent(event)

    def _reached(self, event: QKeyEvent) -> Cell | None:
        """Return the cell that a key leads to from the cursor, None for a key that leads nowhere."""
        (row, column), (rows, columns) = self._cursor, self.shape
        if not self.rows_lie_across and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            reached = index_after_key(event, column, columns)
            return None if reached is None else (row, reached)
        window = self._window
        seen = window.right - window.left if self.rows_lie_across else window.bottom - window.top
        reached = index_after_key(event, row, rows, page=max(1, int(seen) - 1))
        return None if reached is None else (reached, column)

    def _go_to(self, cell: Cell) -> None:
        self._cursor = cell
        self.show_window(self._window.showing(*self._on_screen(cell), *self._on_screen(self.shape)))
        self.cell_hovered.emit(cell)
        self.row_chosen.emit(cell[0])

    def _zoom(self, factor: float, down: float, right: float) -> None:
        self.show_window(self._window.zoomed(factor, down, right, *self._on_screen(self.shape)))
