"""Heatmap: a matrix as coloured cells, equal rows bracketed and lettered; ColourBar: the scale below it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.figures.row_letters import Ints, row_letters
from views.noise.arrays.heat_colours import LEVELS, Scale, colour_table
from views.noise.arrays.picture_choice import value_words
from views.noise.heatmap import heatmap_drawing as drawing
from views.noise.heatmap.cell_geometry import CellWindow, PlotPainter, draw_frame
from views.noise.heatmap.cell_marks import ABOVE, BELOW, SYMBOLS, draw_marks, marks_beyond, no_marks
from views.noise.heatmap.cell_plot import CellPlot
from views.theme import Theme, Themed


class ColourBar(Themed, QWidget):
    """A strip of colours with three labels under it; two for truth values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scale = Scale("diverging", -1.0, 1.0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Colour bar"))
        self.show_scale(self._scale, clips=False)

    def show_scale(self, scale: Scale, *, clips: bool) -> None:
        """Show `scale`; `clips` says that it ends before the furthest values."""
        self._scale, self._clips = scale, clips
        self.setAccessibleDescription(", ".join(self.labels()))
        further = self.tr("A few values are far outside the colour range and are marked.")
        self.setToolTip(further if clips else "")
        self.update()

    def labels(self) -> tuple[str, ...]:
        """Return the labels from left to right."""
        if self._scale.kind == "two-valued":
            return ("False", "True")
        middle = (self._scale.low + self._scale.high) / 2
        low, middle_words, high = (value_words(value, 3) for value in (self._scale.low, middle, self._scale.high))
        if self._clips:
            high = f"{high} {SYMBOLS[ABOVE]}"
            low = f"{SYMBOLS[BELOW]} {low}" if self._scale.low < 0 else low
        return low, middle_words, high

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.theme.font(0.8))
        return QSize(self.theme.px(200), self._strip_height() + int(metrics.height()) + 3)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(60), self.sizeHint().height())

    def _strip_height(self) -> int:
        return self.theme.px(7)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        strip = QRectF(0.5, 0.5, min(self.width() - 1, self.theme.px(260)), self._strip_height())
        pixels = colour_table(self._scale.kind, self.theme)[:LEVELS].copy()
        image = QImage(pixels.data, LEVELS, 1, LEVELS * 4, QImage.Format.Format_RGB32)
        painter.drawImage(strip, image)
        draw_frame(painter, self.theme, strip, focused=False)
        painter.setPen(QColor(self.theme.dim))
        painter.setFont(self.theme.font(0.8))
        self._write_labels(painter, QRectF(strip.left(), strip.bottom() + 1, strip.width(), self.height()))
        painter.end()

    def _write_labels(self, painter: QPainter, place: QRectF) -> None:
        """Write the labels under the strip; where three have no room, the two at the ends."""
        labels = self.labels()
        needed = sum(painter.fontMetrics().horizontalAdvance(label) for label in labels) + self.theme.px(16)
        top, side = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag
        if len(labels) == 3 and needed <= place.width():
            painter.drawText(place, side.AlignHCenter | top, labels[1])
        painter.drawText(place, side.AlignLeft | top, labels[0])
        painter.drawText(place, side.AlignRight | top, labels[-1])


Matrix = npt.NDArray[Any]

NOTHING = np.empty(0, np.int64)


class Heatmap(CellPlot):
    """Draws a picture as coloured cells.

    Signals:
        sampling_changed: (k, l): 1 row in k and 1 column in l is drawn.
    """

    sampling_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._matrix: Matrix = np.zeros((0, 0))
        self._scale = Scale("diverging", -1.0, 1.0)
        self.letters = row_letters(NOTHING)
        self.marks = no_marks()
        """The cells that carry a shape."""
        self.sampling = (1, 1)
        """(k, l): 1 row in k and 1 column in l is drawn."""
        self.setAccessibleName(self.tr("Heatmap, one row per example"))

    # -- what to show -------------------------------------------------------------------------

    def show_matrix(self, matrix: Matrix, scale: Scale, groups: Ints = NOTHING) -> None:
        """Show `matrix` [rows, columns]; rows of one group in `groups` [rows] are lettered.

        Cells without a colour on `scale` carry shapes. Zoom stays where the shape does.
        """
        self.show_shape(*matrix.shape)
        self._matrix, self._scale = matrix, scale
        self.letters = row_letters(groups[: len(matrix)])
        self.marks = marks_beyond(matrix, scale)
        self._note_sampling()

    def show_window(self, window: CellWindow) -> None:
        super().show_window(window)
        self._note_sampling()

    def apply_theme(self, _theme: Theme) -> None:
        self._note_sampling()

    # -- geometry -----------------------------------------------------------------------------

    def plot_room(self) -> QRectF:
        left, below = self._letter_width() + self._number_width(), self._number_metrics().height() + 2
        return QRectF(left, 2, max(1.0, self.width() - left - 2), max(1.0, self.height() - below - 2))

    def _letter_width(self) -> float:
        if not len(self.letters.numbers):
            return 0.0
        widest = "AA" if self.letters.numbers.max() >= 26 else "A" if len(self.letters.numbers) > 1 else ""
        letters = QFontMetricsF(self.theme.font(0.85, bold=True))
        return letters.horizontalAdvance(widest) + self.theme.px(11)

    def _number_width(self) -> float:
        last = f"{max(0, len(self._matrix) - 1):,}"
        return self._number_metrics().horizontalAdvance(last) + self.theme.px(8)

    def _number_metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.theme.font(0.8, bold=True))

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._matrix.size == 0:
            return
        geometry = self.geometry_of_cells()
        plot = geometry.plot
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint = PlotPainter(painter, geometry, self.theme)
        letters = QRectF(0, plot.top(), self._letter_width(), plot.height())
        numbers = QRectF(letters.right(), plot.top(), plot.left() - letters.right(), plot.height())
        drawing.draw_letters(paint, self.letters, letters)
        drawing.draw_row_numbers(paint, numbers, self._marked)
        below = QRectF(plot.left(), plot.bottom(), plot.width(), self.height() - plot.bottom())
        drawing.draw_column_numbers(paint, below)
        painter.setClipRect(plot)
        table = colour_table(self._scale.kind, self.theme)
        drawing.draw_cells(paint, self._matrix, self._scale, table)
        has_texts = drawing.draw_cell_texts(paint, self._matrix, self._scale, table)
        if any(self.marks.counts):
            draw_marks(paint, self.marks, self._matrix, self._scale, in_corner=has_texts)
        drawing.draw_marked_rows(paint, self._marked)
        painter.setClipping(False)
        self._draw_frame(paint)
        painter.end()

    def _draw_frame(self, paint: PlotPainter) -> None:
        geometry, painter = paint.geometry, paint.painter
        draw_frame(painter, self.theme, geometry.plot, focused=self.hasFocus())
        row, column = self._cursor
        cell = geometry.cell_rectangle(row, row, column, column)
        if self.hasFocus() and geometry.plot.intersects(cell):
            painter.setPen(QPen(QColor(self.theme.text), 1, Qt.PenStyle.DashLine))
            painter.drawRect(cell)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._note_sampling()

    def _note_sampling(self) -> None:
        geometry = self.geometry_of_cells()
        sampling = (geometry.rows_drawn().step, geometry.columns_drawn().step)
        if sampling != self.sampling:
            self.sampling = sampling
            self.sampling_changed.emit(sampling)
