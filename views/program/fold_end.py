"""FoldEnd: the end of a folded line: ``name=_normal``, the number of hidden lines, the end of the last."""

from __future__ import annotations

from functools import cached_property

import msgspec
from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from views.theme import Theme

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class FoldEnd(msgspec.Struct, frozen=True, dict=True):
    """The end of one folded line."""

    folded: tuple[str, int, str]
    """A name, how many lines are hidden, and how the last of them ends."""
    place: QRectF
    """Where the line is, as wide as the viewport."""
    text_end: float
    """Where its text ends."""
    metrics: QFontMetricsF
    on_stage: bool = False
    """Whether the end of the last line, which has the operands, comes before the words of the number."""

    @cached_property
    def _words(self) -> str:
        hidden = self.folded[1]
        if hidden == 1:
            words = QCoreApplication.translate("ProgramText", "1 line")
        else:
            words = QCoreApplication.translate("ProgramText", "{} lines").format(hidden)
        # In a narrow pane it stands at the edge, over the line, as small as can be.
        behind = self._space + self.metrics.horizontalAdvance(self.folded[2]) if self.on_stage else 0.0
        return words if self.text_end + self._wide(words) + self._space + behind <= self._right else f"+{hidden}"

    @cached_property
    def _name(self) -> str:
        """The name; none on a stage where the operands behind it would be cut."""
        name, _, last = self.folded
        width = self.metrics.horizontalAdvance(f"{name}{last}") + self._wide(self._words) + 3 * self._space
        return "" if self.on_stage and self.text_end + width > self._right else name

    @property
    def _space(self) -> float:
        return self.metrics.horizontalAdvance(" ")

    @property
    def _right(self) -> float:
        return self.place.right() - self._space

    def _wide(self, words: str) -> float:
        return self.metrics.horizontalAdvance(words) + 2 * self._space

    @cached_property
    def pill(self) -> QRectF:
        """The rectangle of the number of hidden lines; a click opens them."""
        name, width = self._name, self._wide(self._words)
        left = self.text_end + self._space + (self.metrics.horizontalAdvance(name) + self._space if name else 0)
        return QRectF(min(left, self._right - width), self.place.top(), width, self.place.height())

    def paint(self, painter: QPainter, theme: Theme) -> None:
        name, last = self._name, self.folded[2]
        pill = self.pill
        painter.setPen(QColor(theme.dim))
        box = pill.adjusted(-self.metrics.horizontalAdvance(name) - self._space, 0, 0, 0)
        if name and box.left() >= self.text_end:
            painter.drawText(box, LEFT, name)
        behind = QRectF(pill.right() + self._space, pill.top(), self.place.width(), pill.height())
        # On a stage nothing is cut, and that something is folded is reported by the number.
        if not theme.on_stage or behind.left() + self.metrics.horizontalAdvance(last) <= self.place.right():
            painter.drawText(behind, LEFT, last)
        # The text ends before the pill.
        if (over := self.text_end + self._space - pill.left()) > 0:
            painter.fillRect(pill.adjusted(-self._space, 0, min(over, self._space), 0), QColor(theme.background))
        painter.setBrush(QColor(theme.panel))
        painter.setPen(QPen(QColor(theme.hairline), theme.px(1)))
        painter.drawRoundedRect(pill.adjusted(0, 1, 0, -1), theme.px(4), theme.px(4))
        painter.setPen(QColor(theme.text))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, self._words)
