"""The margin of a text: numbers, coloured bars and signs beside its lines, so that nothing lies over the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.messages import Level
from views.text.line_marks import difference_colour

if TYPE_CHECKING:
    from views.text.line_text import LineText

BAR_WIDTH = 4


class Margin(QWidget):
    """Counts the lines of a numbered LineText; else gives the number of the line that each comes from."""

    def __init__(self, text: LineText) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:
        theme, text = self._text.theme, self._text
        largest = text.blockCount() if text.numbered else max(text.marks.origins, default=0)
        numbers = self.fontMetrics().horizontalAdvance("9" * max(2, len(str(largest))))
        sign = self._sign_width() if text.numbered else 0
        return QSize(sign + numbers + self._difference_width() + theme.px(BAR_WIDTH) + 3 * theme.px(4), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, marks = self._text.theme, self._text.marks
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.panel))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current = self._text.textCursor().blockNumber()
        for row, place in self._text.visible_rows(event.rect()):
            origin = marks.origin(row)
            if origin:
                width = theme.px(BAR_WIDTH)
                bar = QRectF(self.width() - width, place.top(), width, place.height())
                painter.fillRect(bar, self._text.colour_of(origin))
            # Of a line that wraps, they stand beside its beginning.
            place.setHeight(min(place.height(), self._text.fontMetrics().lineSpacing()))
            if difference := marks.only_here.get(row):
                self._paint_difference(painter, place, difference)
            if self._text.numbered:
                marked = row in marks.marked
                colour = theme.text if row == current or marked else theme.dim
                self._paint_number(painter, place, row + 1, QColor(colour), bold=marked)
                if level := marks.signs.get(row):
                    self._paint_sign(painter, place, level)
            elif origin and origin != marks.origin(row - 1):
                self._paint_number(painter, place, origin, self._text.colour_of(origin))
        painter.end()

    def _sign_width(self) -> int:
        return self._text.fontMetrics().lineSpacing() if self._text.theme.least else self.fontMetrics().height()

    def _difference_width(self) -> int:
        return self.fontMetrics().horizontalAdvance("+")

    def _paint_difference(self, painter: QPainter, place: QRectF, sign: str) -> None:
        """Write that what is compared with lacks the line."""
        wide = self._difference_width()
        left = self.width() - self._text.theme.px(BAR_WIDTH) - wide - self._text.theme.px(2)
        painter.setPen(difference_colour(self._text.theme, sign))
        box = QRectF(left, place.top(), wide, place.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, sign.replace("-", "\u2212"))

    def _paint_number(
        self, painter: QPainter, place: QRectF, number: int, colour: QColor, *, bold: bool = False
    ) -> None:
        theme = self._text.theme
        right = self.width() - theme.px(BAR_WIDTH) - theme.px(4) - self._difference_width()
        if painter.font().bold() != bold:
            font = QFont(self.font())
            font.setBold(bold)
            painter.setFont(font)
        painter.setPen(colour)
        # Of a line that is wrapped, beside its beginning.
        box = QRectF(0, place.top(), right, min(place.height(), self._text.fontMetrics().lineSpacing() + 1))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))

    def _paint_sign(self, painter: QPainter, place: QRectF, level: Level) -> None:
        """A bug and a warning are filled discs with "!", a note is a ring with "i"."""
        theme = self._text.theme
        on_stage = theme.least > 0
        size = min(place.height(), self._sign_width()) - (1 if on_stage else theme.px(3))
        line = min(place.height(), self._text.fontMetrics().lineSpacing() + 1)
        disc = QRectF(theme.px(3), place.top() + (line - size) / 2, size, size)
        colour = QColor(theme.bug if level == "bug" else theme.note)
        painter.setPen(QPen(colour, theme.px(1.5)))
        is_filled = level != "note"
        painter.setBrush(colour if is_filled else QColor(theme.panel))
        painter.drawEllipse(disc)
        font, before = QFont(self.font()), painter.font()
        font.setBold(True)
        if not on_stage:
            # There it is as large as the numbers, and so is the disc.
            font.setPixelSize(max(6, round(size * 0.75)))
        painter.setFont(font)
        painter.setPen(QColor(theme.background) if is_filled else colour)
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, "!" if is_filled else "i")
        painter.setFont(before)
