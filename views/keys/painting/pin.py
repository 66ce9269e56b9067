"""A pin at a key that is too narrow to be seen among thousands."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from views.keys.painting.lettering import Lettering, Line
from views.theme import Theme

NARROW = 9.0
"""Pixels below which a key needs a pin, at text size 1."""
SMALL = 16.0
"""Pixels of a cell in a block below which a key needs one."""
TALL = 9.0
"""Pixels from the tip of the pin to its label, at text size 1."""


def draw_pin(painter: QPainter, theme: Theme, letters: Lettering, tip: QPointF, words: list[str], width: float) -> None:
    """Draw a pin that points down at `tip`, with the `words` that fit above it, on a picture `width` pixels wide."""
    tall = TALL * theme.scale
    line: Line = (words, "digits", theme.text)
    text = letters.fitting(line, width)
    room = letters.width(text, "digits") + 8
    left = min(max(1.0, tip.x() - room / 2), max(1.0, width - room - 1))
    label = QRectF(left, tip.y() - tall - letters.height, room, letters.height)
    painter.setPen(QPen(QColor(theme.focus), 1.5 * theme.scale))
    painter.setBrush(QColor(theme.background))
    painter.drawRect(label)
    painter.setBrush(QColor(theme.focus))
    painter.drawPolygon(QPolygonF([tip, tip + QPointF(-tall * 0.6, -tall), tip + QPointF(tall * 0.6, -tall)]))
    letters.write(line, label.center().x(), label.top(), width)
