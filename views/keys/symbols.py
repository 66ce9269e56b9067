"""Symbols of keys by state, Lettering, pins, legend; columns() of keys too narrow for a symbol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from explorer.messages import KEY_STATES, KeyState
from views.parts.legend import Legend, LegendEntry
from views.theme import Theme

COLUMN = 3.0
"""Pixels of a column; keys narrower than that are drawn together."""

GRAVITY: tuple[KeyState, ...] = ("unused", "fresh", "split", "drawn", "orphan", "shared", "reused")
"""From the least to the worst: a reused key must not vanish among a million good ones."""
RANK = np.zeros(len(KEY_STATES), np.int8)
RANK[[KEY_STATES.index(state) for state in GRAVITY]] = np.arange(1, len(GRAVITY) + 1)

Floats = npt.NDArray[np.float64]
Ranks = npt.NDArray[np.int8]


def columns(left: Floats, right: Floats, rank: Ranks, width: float) -> list[tuple[float, float, int]]:
    """Return (begin, end, worst rank) in pixels for stretches of equal columns between 0 and `width`.

    `left` and `right` are the pixels of k keys from left to right, `rank` is the priority of each; columns of rank 0
    stay empty.
    """
    edge = np.arange(0.0, width + COLUMN, COLUMN)
    start = np.searchsorted(left, edge)
    start[0] = 0
    filled = np.flatnonzero(np.diff(start))
    worst = np.zeros(start.size - 1, np.int8)
    if filled.size:
        worst[filled] = np.maximum.reduceat(rank[: start[-1]], start[filled])
    # A column in which no key begins is covered by the one that began before it, if that reaches so far.
    covered = np.flatnonzero((worst == 0) & (start[:-1] > 0))
    before = start[covered] - 1
    worst[covered] = np.where(right[before] > edge[covered], rank[before], 0)
    turns = np.concatenate([[0], np.flatnonzero(np.diff(worst)) + 1, [worst.size]])
    stretches = zip(turns[:-1].tolist(), turns[1:].tolist(), worst[turns[:-1]].tolist(), strict=True)
    return [(begin * COLUMN, min(end * COLUMN, width), found) for begin, end, found in stretches if found]


TEXT = 1.0
"""The size of text in the picture, relative to that of the interface."""

Style = Literal["plain", "bold", "digits"]
Side = Literal["left", "centre", "right"]
Line = tuple[list[str], Style, str]
"""The ways to say one thing, longest first; how it is set; its colour."""


class Lettering:
    """The fonts of a picture, ready to write with."""

    def __init__(self, painter: QPainter, theme: Theme) -> None:
        self._painter = painter
        self._fonts: dict[Style, QFont] = {
            "plain": theme.font(TEXT),
            "bold": theme.font(TEXT, bold=True),
            "digits": theme.mono_font(TEXT),
        }
        self._metrics = {style: QFontMetricsF(font) for style, font in self._fonts.items()}
        self.height = self._metrics["plain"].height()
        """Pixels from one line to the next."""

    def width(self, words: str, style: Style = "plain") -> float:
        return self._metrics[style].horizontalAdvance(words)

    def fitting(self, line: Line, room: float) -> str:
        """Return the longest variant of the text within `room` pixels, empty where none fits."""
        choices, style, _ = line
        return next((words for words in choices if self.width(words, style) <= room), "")

    def write(self, line: Line, x: float, top: float, room: float, side: Side = "centre") -> QRectF | None:
        """Write a line at `x`, aligned left, centred or right; return its area, None without room."""
        words = self.fitting(line, room)
        if not words:
            return None
        _, style, colour = line
        width = self.width(words, style)
        shift = {"left": 0.0, "centre": 0.5, "right": 1.0}[side] * width
        self._painter.setFont(self._fonts[style])
        self._painter.setPen(QColor(colour))
        self._painter.drawText(QPointF(x - shift, top + self._metrics[style].ascent()), words)
        return QRectF(x - shift, top, width, self.height)

    def write_lines(
        self, lines: list[Line], x: float, top: float, room: float, side: Side = "centre", bottom: float = 1e9
    ) -> list[QRectF | None]:
        """Write lines below each other down to `bottom`, skipping those without room. Return their areas."""
        rooms = []
        for line in lines:
            written = self.write(line, x, top, room, side) if top + self.height <= bottom else None
            top += self.height if written else 0.0
            rooms.append(written)
        return rooms


LINE = 1.6
"""Pixels of an outline at text size 1."""
FILLED: tuple[KeyState, ...] = ("drawn", "shared", "reused")


def state_colour(theme: Theme, state: KeyState) -> QColor:
    colours = {"drawn": theme.good, "reused": theme.bug, "shared": theme.bug, "unused": theme.dim}
    return QColor(colours.get(state, theme.text))


def state_pen(theme: Theme, state: KeyState, factor: float = 1.0) -> QPen:
    """Return the outline of a state: dashed where the key is unused."""
    pen = QPen(state_colour(theme, state), LINE * factor * theme.scale)
    if state == "unused":
        pen.setDashPattern([2.0, 2.0])
    return pen


def fill_many(painter: QPainter, theme: Theme, stretch: QRectF, state: KeyState) -> None:
    """Fill a stretch of keys too narrow to be drawn one by one, as a comb in the colour of `state`, pale if hollow."""
    colour = state_colour(theme, state)
    colour.setAlpha(255 if state in FILLED else 90)
    painter.fillRect(stretch, colour)
    painter.fillRect(stretch, QBrush(QColor(theme.background), Qt.BrushStyle.VerPattern))


def draw_symbol(painter: QPainter, theme: Theme, state: KeyState, middle: QPointF, radius: float) -> None:
    """Draw a key as a symbol of this radius around `middle`."""
    painter.setPen(state_pen(theme, state, min(1.0, radius / 5)))
    painter.setBrush(state_colour(theme, state) if state in FILLED else QColor(theme.background))
    if state == "orphan":
        painter.drawPolygon(_diamond(middle, radius))
    elif state == "reused":
        _draw_double_ring(painter, middle, radius)
    else:
        painter.drawEllipse(middle, radius, radius)
    if state == "split" and radius >= 5:
        _draw_fork(painter, middle, radius)


def draw_bracket(painter: QPainter, pen: QPen, left: float, right: float, y: float, height: float) -> None:
    """Draw a bracket that opens downward, from `left` to `right`, its spine at `y`."""
    painter.setPen(pen)
    painter.drawLines(
        [QLineF(left, y, right, y), QLineF(left, y, left, y + height), QLineF(right, y, right, y + height)]
    )


LEGEND_SAMPLE, LEGEND_RADIUS, LEGEND_TEXT = 13, 5.5, 0.85
"""Pixels of a symbol in a legend and its radius, at text size 1; the size of the words, relative to the interface's."""


class StateSample(msgspec.Struct, frozen=True):
    """A symbol in a legend, including the bracket of a shared key."""

    state: KeyState

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> None:
        middle, radius = room.center(), LEGEND_RADIUS * theme.scale
        if self.state != "shared":
            draw_symbol(painter, theme, self.state, middle, radius)
            return
        draw_symbol(painter, theme, self.state, middle - QPointF(0, radius * 0.4), radius * 0.75)
        low = middle.y() + radius * 0.75
        draw_bracket(painter, state_pen(theme, "shared"), middle.x() - radius, middle.x() + radius, low, radius * 0.4)


def key_legend(parent: QWidget) -> Legend:
    return Legend(LEGEND_SAMPLE, LEGEND_TEXT, parent)


def legend_entries(words: Mapping[KeyState, str]) -> list[LegendEntry]:
    """Return the entries of a legend of the states in `words`."""
    return [LegendEntry(words[state], StateSample(state)) for state in KEY_STATES if state in words]


def _draw_double_ring(painter: QPainter, middle: QPointF, radius: float) -> None:
    """Draw a filled disc with a ring around it, both within `radius`."""
    brush = QBrush(painter.brush())
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(middle, radius, radius)
    painter.setBrush(brush)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(middle, radius * 0.55, radius * 0.55)


def _draw_fork(painter: QPainter, middle: QPointF, radius: float) -> None:
    arm = radius * 0.5
    low = middle + QPointF(0, -arm * 0.1)
    painter.drawLines(
        [
            QLineF(middle - QPointF(0, arm), low),
            QLineF(low, middle + QPointF(-arm, arm)),
            QLineF(low, middle + QPointF(arm, arm)),
        ]
    )


def _diamond(middle: QPointF, radius: float) -> QPolygonF:
    far = radius * 1.15
    corners = [QPointF(0, -far), QPointF(far, 0), QPointF(0, far), QPointF(-far, 0)]
    return QPolygonF([middle + corner for corner in corners])


def inset(rectangle: QRectF, pixels: float) -> QRectF:
    """Return `rectangle` reduced by `pixels` on each side."""
    return rectangle.adjusted(pixels, pixels, -pixels, -pixels)


PIN_BELOW_BAND_PX = 9.0
"""Pixels below which a key needs a pin, at text size 1."""
PIN_BELOW_CELL_PX = 16.0
"""Pixels of a cell in a block below which a key needs one."""
PIN_HEIGHT_PX = 9.0
"""Pixels from the tip of the pin to its label, at text size 1."""


def draw_pin(painter: QPainter, theme: Theme, letters: Lettering, tip: QPointF, words: list[str], width: float) -> None:
    """Draw a pin that points down at `tip`, with the `words` that fit above it, on a picture `width` pixels wide."""
    tall = PIN_HEIGHT_PX * theme.scale
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
