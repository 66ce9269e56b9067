"""Legend: a line of samples of what a picture draws, each with its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from views.theme import Theme, Themed

BEHIND_SAMPLE, BEHIND_ENTRY = 6, 14
"""Pixels of free room, at text size 1."""


class Sample(Protocol):
    """A distinguishing mark."""

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> None: ...


class LegendEntry(msgspec.Struct, frozen=True):
    """A mark and its meaning."""

    words: str
    sample: Sample


class Legend(Themed, QWidget):
    """A line of samples with words, which wraps."""

    def __init__(self, sample_px: int, text: float, parent: QWidget | None = None) -> None:
        """Give each sample `sample_px` pixels at text size 1, and the words `text` of the interface's size."""
        super().__init__(parent)
        self._sample_px, self._text = sample_px, text
        self._entries: tuple[LegendEntry, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Legend"))

    def show_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show `entries` and no others."""
        self._entries = tuple(entries)
        self.setAccessibleDescription(", ".join(each.words for each in entries))
        self.setVisible(bool(entries))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(300))

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (the name is Qt's)
        return int((self._places(width)[-1][1] + 1) * self._line) if self._entries else 0

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, font, wide = QPainter(self), self.theme.font(self._text), self.theme.px(self._sample_px)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font)
        ascent = QFontMetricsF(font).ascent()
        for each, (x, row) in zip(self._entries, self._places(self.width()), strict=True):
            each.sample.draw(painter, self.theme, QRectF(x, row * self._line, wide, self._line))
            painter.setPen(QColor(self.theme.dim))
            left = x + wide + self.theme.px(BEHIND_SAMPLE)
            painter.drawText(QPointF(left, row * self._line + ascent + 1), each.words)
        painter.end()

    @property
    def _line(self) -> float:
        return QFontMetricsF(self.theme.font(self._text)).height() + 2

    def _places(self, width: float) -> list[tuple[float, int]]:
        """Return where each entry begins, in pixels, and its line."""
        metrics, x, row, places = QFontMetricsF(self.theme.font(self._text)), 0.0, 0, []
        for each in self._entries:
            needed = self.theme.px(self._sample_px + BEHIND_SAMPLE) + metrics.horizontalAdvance(each.words)
            if x and x + needed > width:
                x, row = 0.0, row + 1
            places.append((x, row))
            x += needed + self.theme.px(BEHIND_ENTRY)
        return places
