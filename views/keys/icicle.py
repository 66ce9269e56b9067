"""IciclePainter draws a key forest as an icicle: each key is a rectangle above its descendants."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.figures.forest.collapsing import Int32
from explorer.figures.forest.key_sentences import KeySentences, short_hex
from explorer.messages import KEY_STATES, KeyState
from views.keys.picture import TreeView
from views.keys.symbols import (
    COLUMN,
    FILLED,
    GRAVITY,
    PIN_BELOW_BAND_PX,
    RANK,
    Lettering,
    Line,
    columns,
    draw_pin,
    draw_symbol,
    fill_many,
    inset,
    state_colour,
    state_pen,
)
from views.theme import Theme

BEYOND = 9.0
"""Pixels by which a rectangle may extend beyond the screen, to hide its outline there."""
LOW_LINE = 0.8
"""The height of a box, as a share of a line's, from which on it has words: letters are lower than their line."""
LEAST_TEXT = 30.0
"""Pixels below which a rectangle is left without words."""


class IciclePainter:
    """Draws the visible part; the time grows with the pixels, not with the keys."""

    def __init__(self, painter: QPainter, theme: Theme, view: TreeView, words: KeySentences) -> None:
        self._painter, self._theme, self._words = painter, theme, words
        self._screen, self._lit = view.screen, view.lit
        self._asked = frozenset(place for place, _ in view.lit.strong())
        self._letters = Lettering(painter, theme)

    def paint(self) -> None:
        """Draw every visible level, then the marks."""
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for level in self._screen.level_range:
            self._draw_level(level)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        pinned: set[float] = set()
        for place, width in self._lit.strong():
            rectangles = self._rectangles(np.array([place], np.int32))
            self._outline(rectangles, width)
            if rectangles[0].width() < PIN_BELOW_BAND_PX * self._theme.scale and rectangles[0].top() not in pinned:
                pinned.add(rectangles[0].top())
                tip = QPointF(rectangles[0].center().x(), rectangles[0].top())
                words = short_hex(self._words.index, int(self._screen.layout.node[place]))
                draw_pin(self._painter, self._theme, self._letters, tip, words, self._screen.width)

    def _draw_level(self, level: int) -> None:
        layout, screen = self._screen.layout, self._screen
        places = layout.between(level, *screen.slots)
        left, right = screen.x(layout.left[places]), screen.x(layout.right[places])
        wide = right - left >= COLUMN
        self._draw_wide(places.start + np.flatnonzero(wide).astype(np.int32))
        if wide.all():
            return
        rank = np.where(wide, 0, RANK[layout.state[places]]).astype(np.int8)
        top, height = screen.y(level), self._height
        for begin, end, worst in columns(left, right, rank, screen.width):
            fill_many(self._painter, self._theme, QRectF(begin, top, end - begin, height), GRAVITY[worst - 1])
        lit = (self._lit.marked[places] & ~wide).astype(np.int8)
        if lit.any():
            colour = QColor(self._theme.focus)
            for begin, end, _ in columns(left, right, lit, screen.width):
                self._painter.fillRect(QRectF(begin, top, end - begin, min(4.0, height)), colour)

    @property
    def _height(self) -> float:
        return max(2.0, self._screen.row - 2.0)

    def _draw_wide(self, places: Int32) -> None:
        states = self._screen.layout.state[places]
        for number in np.unique(states).tolist():
            here = places[states == number]
            rectangles = self._rectangles(here)
            self._fill(rectangles, KEY_STATES[number])
            for place, rectangle in zip(here.tolist(), rectangles, strict=True):
                if rectangle.width() >= LEAST_TEXT * self._theme.scale:
                    self._draw_words(place, rectangle, KEY_STATES[number])
        marked = places[self._lit.marked[places]]
        if marked.size:
            self._outline(self._rectangles(marked), 2.0)

    def _rectangles(self, places: Int32) -> list[QRectF]:
        """Return the rectangles of places of one level."""
        screen, layout = self._screen, self._screen.layout
        if not places.size:
            return []
        top = screen.y(layout.level_of(int(places[0])))
        left = np.maximum(screen.x(layout.left[places]), -BEYOND)
        right = np.minimum(screen.x(layout.right[places]), screen.width + BEYOND)
        width = np.maximum(1.0, right - left - np.where(right - left > 4, 1.0, 0.5))
        height = self._height
        return [QRectF(x, top, wide, height) for x, wide in zip(left.tolist(), width.tolist(), strict=True)]

    def _fill(self, rectangles: list[QRectF], state: KeyState) -> None:
        painter, theme = self._painter, self._theme
        if state in FILLED:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(state_colour(theme, state))
        else:
            pen = state_pen(theme, state, 0.6)
            if state == "split":
                pen.setColor(QColor(theme.dim))
            painter.setPen(pen)
            painter.setBrush(QColor(theme.panel))
        painter.drawRects(rectangles)
        if state == "reused":
            painter.setPen(QPen(QColor(theme.background), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRects([inset(each, 2.5) for each in rectangles if each.width() > 8 and each.height() > 8])

    def _outline(self, rectangles: list[QRectF], width: float) -> None:
        self._painter.setPen(QPen(QColor(self._theme.focus), width * self._theme.scale))
        self._painter.setBrush(self._theme.focus_fill())
        self._painter.drawRects([inset(each, 0.5) for each in rectangles])

    def _draw_words(self, place: int, rectangle: QRectF, state: KeyState) -> None:
        """Write the texts that fit: the digits of a selected key, then how the key was made and used."""
        theme, letters = self._theme, self._letters
        room = rectangle.intersected(QRectF(0, 0, self._screen.width, self._screen.height))
        room = room.adjusted(4, 1, -4, 1)
        lines = self._lines(place, theme.background if state in FILLED else theme.text)
        lacking = letters.height - room.height()
        over = lacking / 2 if 0 < lacking <= letters.height * (1 - LOW_LINE) else 0.0
        letters.write_lines(lines, room.x(), room.y() - over, room.width(), "left", room.bottom() + over)
        if state == "orphan":
            radius = letters.height * 0.3
            draw_symbol(self._painter, theme, state, QPointF(room.right() - radius, room.y() + radius * 1.6), radius)

    def _lines(self, place: int, colour: str) -> list[Line]:
        layout, words = self._screen.layout, self._words
        key = int(layout.node[place])
        if steps := layout.steps(place):
            return [(words.steps(steps), "bold", colour)]
        asked = place in self._asked
        lines: list[Line] = [(short_hex(words.index, key), "digits", colour)] if asked else []
        if words.serves(key) > 1:
            lines.append((words.shared_by(key), "bold", colour))
        choices_of = [words.edge(key), *words.draws(key), words.inside(key, layout.folded(place))]
        if self._height < 2 * self._letters.height:
            choices_of = [self._on_one_line(key, layout.folded(place))]
        return lines + [(choices, "plain", colour) for choices in choices_of]

    def _on_one_line(self, key: int, inside: int) -> list[str]:
        """Return how the key was made and used, the use in front where there is room for one of them."""
        edge, drawn = self._words.edge(key), self._words.draws_in_line(key) or self._words.inside(key, inside)
        used = drawn or self._words.split(key)
        return [*(f"{edge[0]}: {use}" for use in used[:1]), *drawn, *edge]
