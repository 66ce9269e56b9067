"""Says which line is which, with a piece of each; grows with the text and wraps to the width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from views.theme import LIGHT, Theme


@dataclass(frozen=True)
class LegendEntry:
    """What tells some lines from the others: a colour and symbol, a dash, or all of them."""

    label: str
    colour: str
    symbol: str = ""
    dash: Qt.PenStyle = Qt.PenStyle.SolidLine
    strong: bool = False
    """Whether it is lit up, and so in bold."""


class LineLegend(QWidget):
    """Draws a sample and the label of each entry, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._entries: tuple[LegendEntry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Legend"))

    def show_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show `entries` and no others."""
        self._entries = tuple(entries)
        self.setAccessibleDescription(", ".join(entry.label for entry in entries))
        self._fit()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of `theme`."""
        self._theme = theme
        self.setFont(theme.font(0.95))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for entry, box in zip(self._entries, self._boxes(), strict=True):
            self._draw(painter, entry, box)

    def _fit(self) -> None:
        boxes = self._boxes()
        self.setFixedHeight(round(boxes[-1].bottom()) + self._theme.px(4) if boxes else 0)
        self.update()

    def _draw(self, painter: QPainter, entry: LegendEntry, box: QRectF) -> None:
        sample, colour = self._sample_width(), QColor(entry.colour)
        middle = QPointF(box.left() + sample / 2, box.center().y())
        reach = QPointF(sample / 2, 0)
        painter.setPen(QPen(colour, self._theme.line_width, entry.dash))
        painter.drawLine(middle - reach, middle + reach)
        if entry.symbol:
            painter.save()
            painter.translate(middle)
            drawSymbol(painter, entry.symbol, self._theme.px(9), QPen(colour, 0), colour)
            painter.restore()
        text = box.adjusted(sample + self._theme.px(6), 0, 0, 0)
        painter.setFont(self._theme.font(0.95, bold=entry.strong))
        painter.setPen(QColor(self._theme.text))
        elided = painter.fontMetrics().elidedText(entry.label, Qt.TextElideMode.ElideMiddle, round(text.width()) + 1)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided)

    def _sample_width(self) -> int:
        return self._theme.px(30)

    def _boxes(self) -> list[QRectF]:
        """Return where each entry goes, filling one row after the other."""
        # Measured in bold, so that nothing moves when an entry is lit up.
        metrics, margin = QFontMetricsF(self._theme.font(0.95, bold=True)), float(self._theme.px(8))
        left, top, height = margin, 0.0, metrics.height() + self._theme.px(3)
        boxes = []
        for entry in self._entries:
            wanted = self._sample_width() + self._theme.px(6) + metrics.horizontalAdvance(entry.label) + 1
            wanted = min(wanted, self.width() - 2 * margin)
            if left > margin and left + wanted > self.width() - margin:
                left, top = margin, top + height
            boxes.append(QRectF(left, top, wanted, height))
            left += wanted + self._theme.px(16)
        return boxes
