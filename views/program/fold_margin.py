"""The margin of the program text: besides numbers and colours, arrows that fold and open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF

from views.text.margin import Margin

if TYPE_CHECKING:
    from views.program.program_text import ProgramText


class FoldMargin(Margin):
    """Draws an arrow beside each line that heads something foldable: to the right where it is folded, else down.

    Signals:
        arrow_pressed: the line on screen whose arrow was pressed.
        width_changed: there are arrows now, or none any more.
    """

    arrow_pressed = Signal(object)
    width_changed = Signal()

    def __init__(self, text: ProgramText) -> None:
        self._folds: Mapping[int, bool] = {}
        super().__init__(text)
        self.setMouseTracking(True)
        self.setToolTip(self.tr("Fold or open what is inside this line"))

    def show_folds(self, folds: Mapping[int, bool]) -> None:
        """Show arrows at these lines, True for folded."""
        if folds != self._folds:
            had_arrows, self._folds = bool(self._folds), folds
            self.update()
            if had_arrows != bool(folds):
                self.width_changed.emit()

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self._arrow_width() if self._folds else 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._text.theme.dim), self._text.theme.px(1.5)))
        painter.setBrush(QColor(self._text.theme.dim))
        for row, place in self._text.visible_rows(event.rect()):
            closed = self._folds.get(row)
            if closed is not None:
                painter.drawPolygon(_arrow(place.center().y(), self._arrow_width(), closed=closed))
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._row_at(event) in self._folds
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event)
        if event.button() == Qt.MouseButton.LeftButton and row in self._folds:
            self.arrow_pressed.emit(row)

    def _row_at(self, event: QMouseEvent) -> int:
        height = event.position().y()
        return next((row for row, place in self._text.visible_rows() if place.top() <= height < place.bottom()), -1)

    def _arrow_width(self) -> int:
        return self.fontMetrics().height()


def _arrow(middle: float, width: float, *, closed: bool) -> QPolygonF:
    """Return a triangle of a third of `width` around (width / 2, `middle`)."""
    left, size = width / 2, width / 6
    if closed:
        corners = [(-size, -1.6 * size), (size, 0.0), (-size, 1.6 * size)]
    else:
        corners = [(-1.6 * size, -size), (1.6 * size, -size), (0.0, size)]
    return QPolygonF([QPointF(left + x, middle + y) for x, y in corners])
