"""What one call of each curve takes of memory, as stacked bars over the parameter, with every figure in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from views.parts.byte_words import bytes_text
from views.theme import LIGHT, Theme

LEAST_PX = 2.0


@dataclass(frozen=True)
class Part:
    """One kind of memory."""

    word: str
    count: int
    colour_number: int


@dataclass(frozen=True)
class Use:
    """What one point takes: its parts side by side, and the rest in words."""

    label: str
    place: str
    """Where in the sweep."""
    parts: tuple[Part, ...]
    words: str


class MemoryBars(QWidget):
    """Draws for each curve a bar for each value of the parameter, all on one scale."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._uses: tuple[Use, ...] = ()
        self._remark = ""
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Memory of one call"))

    def show_uses(self, uses: Sequence[Use], remark: str) -> None:
        """Show `uses`, those of one curve one after the other, and a sentence above them."""
        self._uses, self._remark = tuple(uses), remark
        told = (f"{use.label}, {use.place}: {_parts_text(use)}, {use.words}" for use in uses)
        self.setAccessibleDescription(". ".join([remark, *told]))
        self.updateGeometry()
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of `theme`."""
        self._theme = theme
        self.setFont(theme.font(0.95))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        rows = 2 * len(self._uses) + len({use.label for use in self._uses}) + 1
        return round(rows * self._row() + self._remark_height(width) + self._theme.px(12))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.background))
        painter.setFont(self.font())
        top = self._draw_remark(painter)
        if self._uses:
            top = self._draw_legend(painter, top)
        label = ""
        for use in self._uses:
            if use.label != label:
                label = use.label
                self._text(painter, self._theme.px(8), top, label, bold=True)
                top += self._row()
            self._draw_use(painter, use, top)
            top += 2 * self._row()

    # -- drawing ------------------------------------------------------------------------------

    def _draw_remark(self, painter: QPainter) -> float:
        margin, height = self._theme.px(8), self._remark_height(self.width())
        painter.setPen(QColor(self._theme.text))
        box = QRectF(margin, self._theme.px(4), self.width() - 2 * margin, height)
        painter.drawText(box, Qt.TextFlag.TextWordWrap, self._remark)
        return height + self._theme.px(8)

    def _draw_legend(self, painter: QPainter, top: float) -> float:
        left, side = float(self._theme.px(8)), self._theme.px(10)
        for part in self._uses[0].parts:
            box = QRectF(left, top + (self._row() - side) / 2, side, side)
            painter.fillRect(box, QColor(self._theme.series_colour(part.colour_number)))
            self._text(painter, box.right() + self._theme.px(4), top, part.word)
            words = QFontMetricsF(self.font()).horizontalAdvance(part.word)
            left = box.right() + words + self._theme.px(16)
        return top + self._row()

    def _draw_use(self, painter: QPainter, use: Use, top: float) -> None:
        start, row = self._start(), self._row()
        self._text(painter, self._theme.px(8), top, use.place, dim=True)
        left = start
        for part in use.parts:
            if part.count:
                bar = QRectF(left, top + row * 0.15, max(LEAST_PX, part.count * self._pixels_per_byte()), row * 0.7)
                painter.fillRect(bar, QColor(self._theme.series_colour(part.colour_number)))
                left = bar.right() + 1
        total = bytes_text(sum(part.count for part in use.parts))
        self._text(painter, left + self._theme.px(4), top, total, bold=True)
        metrics = QFontMetricsF(self.font())
        words = "; ".join(filter(None, [use.words, " + ".join(bytes_text(part.count) for part in use.parts)]))
        words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, self.width() - start - self._theme.px(8))
        self._text(painter, start, top + row, words, dim=True)

    def _text(
        self, painter: QPainter, left: float, top: float, text: str, *, bold: bool = False, dim: bool = False
    ) -> None:
        painter.setFont(self._theme.font(0.95, bold=bold))
        painter.setPen(QColor(self._theme.dim if dim else self._theme.text))
        painter.drawText(QRectF(left, top, self.width() - left, self._row()), Qt.AlignmentFlag.AlignVCenter, text)

    # -- places -------------------------------------------------------------------------------

    def _row(self) -> float:
        return QFontMetricsF(self.font()).height() + self._theme.px(4)

    def _remark_height(self, width: int) -> float:
        room = QRectF(0, 0, max(1, width - 2 * self._theme.px(8)), 1000)
        return QFontMetricsF(self.font()).boundingRect(room, Qt.TextFlag.TextWordWrap, self._remark).height()

    def _start(self) -> float:
        metrics = QFontMetricsF(self.font())
        return max((metrics.horizontalAdvance(use.place) for use in self._uses), default=0.0) + self._theme.px(20)

    def _pixels_per_byte(self) -> float:
        most = max((sum(part.count for part in use.parts) for use in self._uses), default=0)
        room = self.width() - self._start() - QFontMetricsF(self.font()).horizontalAdvance("888.8 MiB") - 24
        return max(room, 1.0) / most if most else 0.0


def _parts_text(use: Use) -> str:
    return ", ".join(f"{part.word} {bytes_text(part.count)}" for part in use.parts)
