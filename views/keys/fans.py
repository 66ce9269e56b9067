"""FanPainter draws childless siblings as a block of keys or as a band; DrawSpot: where a draw is clicked."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.figures.forest.key_sentences import KeySentences
from explorer.messages import KEY_STATES
from views.keys.screen import Screen
from views.keys.symbols import GRAVITY, RANK, Lettering, Line, columns, draw_symbol, fill_many, state_pen
from views.keys.tree_places import CELL_RADIUS, Fan
from views.theme import Theme

LEAST = 10.0
"""Least pixels of each side of the clickable area, however small the drawing is."""


class DrawSpot(msgspec.Struct, frozen=True):
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


TICK_CELL = 13.0
"""Least cell, in pixels, in which a key's draw gets its own mark."""


class FanPainter:
    """Draws fans with their captions."""

    def __init__(
        self,
        painter: QPainter,
        theme: Theme,
        screen: Screen,
        words: KeySentences,
        letters: Lettering,
        spots: list[DrawSpot],
    ) -> None:
        self._painter, self._theme, self._screen, self._spots = painter, theme, screen, spots
        self._layout, self._words, self._letters = screen.layout, words, letters

    def draw(self, fan: Fan) -> None:
        if fan.columns:
            self._draw_block(fan)
        else:
            self._draw_band(fan)
        self._write_caption(fan)

    def _draw_block(self, fan: Fan) -> None:
        radius, ticks = fan.cell * CELL_RADIUS, []
        for place in range(fan.start, fan.stop):
            state = KEY_STATES[int(self._layout.state[place])]
            x, y = fan.point(place)
            if state == "drawn" and fan.cell >= TICK_CELL:
                y -= fan.cell * 0.12
                tick = QLineF(x, y + radius, x, y + radius + fan.cell * 0.2)
                ticks.append(tick)
                draws = self._words.index.draws.of(int(self._layout.node[place])).tolist()
                self._spots.append(DrawSpot(QRectF(x - radius, tick.y1(), 2 * radius, 1.6 * tick.dy()), tuple(draws)))
            draw_symbol(self._painter, self._theme, state, QPointF(x, y), radius)
        self._painter.setPen(state_pen(self._theme, "drawn"))
        self._painter.drawLines(ticks)

    def _draw_band(self, fan: Fan) -> None:
        """Draw keys that are too many to be distinguished, each stretch in the colour of its worst key."""
        left = fan.x + np.arange(fan.count, dtype=np.float64) * fan.cell
        rank = RANK[self._layout.state[fan.start : fan.stop]]
        for begin, end, worst in columns(left, left + fan.cell, rank, self._screen.width):
            stretch = QRectF(begin, fan.y, end - begin, fan.height)
            fill_many(self._painter, self._theme, stretch, GRAVITY[worst - 1])

    def _write_caption(self, fan: Fan) -> None:
        left = max(0.0, self._screen.x(float(self._layout.left[fan.start])))
        right = min(self._screen.width, self._screen.x(float(self._layout.right[fan.stop - 1])))
        words = self._words.fan(self._layout.node[fan.start : fan.stop])
        colour = self._theme.bug if words.faulty else self._theme.text
        lines: list[Line] = [(words.states, "bold", colour), (words.draws, "plain", self._theme.dim)]
        if not fan.columns and self._words.opens():
            lines.append((self._words.opens(), "plain", self._theme.dim))
        top, bottom = fan.y + fan.height + 2, self._screen.height
        self._letters.write_lines(lines, (left + right) / 2, top, right - left, bottom=bottom)
