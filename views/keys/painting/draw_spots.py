"""The spots in a picture of keys that represent draws: they can be hovered, clicked and marked like keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from views.theme import Theme

LEAST = 10.0
"""Least pixels of each side of the clickable area, however small the drawing is."""


@dataclass(frozen=True)
class DrawSpot:
    """Draws from one key at one line of the program, and their area on screen."""

    room: QRectF
    draws: tuple[int, ...]

    def after(self, draw: int) -> int:
        """Return the draw to select next: the first one, or the one after `draw`."""
        place = self.draws.index(draw) + 1 if draw in self.draws else 0
        return self.draws[place % len(self.draws)]


def spot_of(room: QRectF, draws: Sequence[int]) -> DrawSpot:
    """Return the spot of `draws` in `room`, enlarged to a clickable size."""
    wider, higher = max(0.0, LEAST - room.width()) / 2, max(0.0, LEAST - room.height()) / 2
    return DrawSpot(room.adjusted(-wider, -higher, wider, higher), tuple(draws))


def spot_at(spots: Sequence[DrawSpot], at: QPointF) -> DrawSpot | None:
    """Return the spot under a point, None where there is none."""
    return next((each for each in spots if each.room.contains(at)), None)


def outline(painter: QPainter, theme: Theme, spots: Sequence[DrawSpot], draw: int) -> None:
    """Draw a frame around the spot of `draw`, where it is on screen."""
    painter.setPen(QPen(QColor(theme.focus), 2.0 * theme.scale))
    painter.setBrush(theme.focus_fill())
    for each in spots:
        if draw in each.draws:
            painter.drawRect(each.room.adjusted(-3, -1, 3, 1))
