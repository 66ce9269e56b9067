"""The common frame of the noise pane's plots: how and where they are drawn, and their labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from views.noise.heatmap.cell_geometry import CellGeometry
from views.theme import Theme

TEXT = 0.8
"""Size of the words, relative to the interface's."""
CENTRE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class PlotPainter:
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
