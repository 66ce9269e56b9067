"""A key forest as an icicle: each key is a rectangle above its descendants; thousands of levels as an image."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from explorer.figures.forest.collapsing import Booleans, Int32
from explorer.figures.forest.key_sentences import KeySentences, short_hex
from explorer.messages import KEY_STATES, KeyState
from views.keys.picture import TreeView
from views.keys.screen import Screen
from views.keys.symbols import (
    COLUMN,
    FILLED,
    GRAVITY,
    PIN_BELOW_BAND_PX,
    RANK,
    Lettering,
    Line,
    Ranks,
    columns,
    draw_pin,
    draw_symbol,
    fill_many,
    inset,
    many_brush,
    state_colour,
    state_pen,
    worst_by_column,
)
from views.theme import Theme

LOW_ROW = 12.0
"""Pixels per level, at text size 1, below which labels are left out."""
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
        if self._screen.row < LOW_ROW * self._theme.scale:
            self._draw_overview()
        else:
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

    def _draw_overview(self) -> None:
        """Draw levels too low for words as one image: a row of pixels for each."""
        screen = self._screen
        picture = overview(screen, self._theme, self._lit.marked)
        top, height = screen.y(screen.level_range.start), len(screen.level_range) * screen.row
        self._painter.drawImage(QRectF(0, top, screen.width, height), picture)

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


LEAST_WIDTH = 4.0
"""Pixels from which on a key is separated from its left neighbour by an empty column."""
LIT = len(GRAVITY) + 1
"""The rank of marked keys, above all others."""


def overview(screen: Screen, theme: Theme, marked: Booleans) -> QImage:
    """Return an image of the visible levels, one pixel high each and as wide as the screen.

    Each pixel has the colour of the worst of its keys; marked keys take precedence.
    """
    ranks = np.stack([_level(screen, level, marked) for level in screen.level_range])
    pixels = np.ascontiguousarray(_colours(theme)[ranks])
    height, width = pixels.shape
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32)
    return image.copy()


def _level(screen: Screen, level: int, marked: Booleans) -> Ranks:
    """Return int8[pixels]: the rank that each pixel of a level shows, 0 for none."""
    layout = screen.layout
    places = layout.between(level, *screen.slots)
    left, right = screen.x(layout.left[places]), screen.x(layout.right[places])
    rank = np.where(marked[places], LIT, RANK[layout.state[places]]).astype(np.int8)
    shown = worst_by_column(left, right, rank, screen.width, 1.0)
    begins = left[(right - left >= LEAST_WIDTH) & (left > 0) & (left < shown.size)]
    shown[begins.astype(np.int64)] = 0
    return shown


def _colours(theme: Theme) -> npt.NDArray[np.uint32]:
    """Return uint32[ranks]: the ARGB colour of each rank; none for rank 0."""
    states = [many_brush(theme, state).color().rgba() for state in GRAVITY]
    return np.array([0, *states, QColor(theme.focus).rgba()], np.uint32)
