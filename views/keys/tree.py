"""TreePainter draws a key forest as nodes and links: each key a symbol of its state, its uses in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.figures.forest.key_sentences import KeySentences, short_hex
from explorer.figures.key_tally import FAULTS
from explorer.messages import KEY_STATES, KeyState
from views.keys.fans import DrawSpot, FanPainter, spot_of
from views.keys.picture import TreeView
from views.keys.symbols import (
    PIN_BELOW_BAND_PX,
    PIN_BELOW_CELL_PX,
    Lettering,
    Line,
    draw_bracket,
    draw_pin,
    draw_symbol,
    inset,
    state_pen,
)
from views.keys.tree_places import RADIUS, Fan, TreePlaces
from views.theme import Theme

RING = 5.5
"""Pixels from the outline of a key to the outer edge of the ring around it in focus."""
BUS = 4.0
"""Pixels below the top of a level where the edges to its keys branch off."""
MOST_RINGS = 400
APART = 6.0
"""Pixels between two marked keys of a band above which each has a frame of its own."""
MOST_TICKS = 400
TICK = 7.0
"""Least pixels between the ticks of a bracket, one for each example."""
WIDEST_BRACKET = 260.0


class TreePainter:
    """Draws the keys of a view in the layout `places`."""

    def __init__(
        self, painter: QPainter, theme: Theme, view: TreeView, places: TreePlaces, words: KeySentences
    ) -> None:
        theme = replace(theme, scale=view.screen.scale)
        self._painter, self._theme, self._places, self._words = painter, theme, places, words
        self._screen, self._layout, self._lit = view.screen, view.screen.layout, view.lit
        self._strong = frozenset(place for place, _ in view.lit.strong())
        self._letters = Lettering(painter, theme)
        self.spots: list[DrawSpot] = []
        """Where the tip on the draws appears; filled while painting."""
        self._fans = FanPainter(painter, theme, view.screen, words, self._letters, self.spots)
        middles = zip(places.x.tolist(), places.y.tolist(), strict=True)
        self._points = dict(zip(places.place.tolist(), middles, strict=True))

    def paint(self) -> None:
        """Draw the edges, then the keys with their labels, then the marks."""
        self._draw_edges()
        self._draw_other_parents()
        for place, room in zip(self._places.place.tolist(), self._places.room.tolist(), strict=True):
            self._draw_key(place, room)
        for fan in self._places.fans:
            self._fans.draw(fan)
        self._draw_lit()

    @property
    def _clear(self) -> float:
        """Pixels from the middle of a key at which a text next to it is clear of its ring."""
        return self._places.radius + (RING + 2.5) * self._theme.scale

    # -- edges ----------------------------------------------------------------------------------

    def _draw_edges(self) -> None:
        """Draw for each key its trunk, the bus along all that hangs from it, and a line down to each of these."""
        hanging: dict[int, list[float]] = defaultdict(list)
        lines, bus = [], {}
        for place, left, right, low in self._below():
            over = int(self._layout.parent[place])
            if over >= 0:
                bus[over] = self._bus(place)
                hanging[over] += [left, right]
                lines += [QLineF(x, bus[over], x, low) for x in {left, right}]
        for over, ends in hanging.items():
            if above := self._points.get(over):
                lines.append(QLineF(above[0], above[1] + self._places.radius, above[0], bus[over]))
                ends.append(above[0])
            lines.append(QLineF(min(ends), bus[over], max(ends), bus[over]))
        self._painter.setPen(QPen(QColor(self._theme.dim), 1.2 * self._theme.scale))
        self._painter.drawLines(lines)

    def _below(self) -> Iterator[tuple[int, float, float, float]]:
        """Yield the children on an edge: place, left and right end, and the lower end of the edge, in pixels."""
        for place, (x, y) in self._points.items():
            yield place, x, x, y - self._places.radius
        for fan in self._places.fans:
            yield fan.start, max(fan.x, 0.0), min(fan.x + fan.width, self._screen.width), fan.y - 3

    def _draw_other_parents(self) -> None:
        """Draw, dashed, the further paths to one key value."""
        others = self._words.index.other_parents[:MOST_RINGS]
        self._painter.setPen(QPen(QColor(self._theme.bug), 1.2 * self._theme.scale, Qt.PenStyle.DashLine))
        for child, parent in self._layout.place[others].tolist():
            ends = self._places.point(child), self._places.point(parent)
            if child != parent and ends[0] and ends[1]:
                self._painter.drawLine(QPointF(*ends[0]), QPointF(*ends[1]))

    def _bus(self, place: int) -> float:
        return self._screen.y(self._layout.level_of(place)) + BUS * self._theme.scale

    # -- single keys ----------------------------------------------------------------------------

    def _draw_key(self, place: int, room: float) -> None:
        x, y = self._points[place]
        key, radius = int(self._layout.node[place]), self._places.radius
        state = KEY_STATES[int(self._layout.state[place])]
        if steps := self._layout.steps(place):
            self._draw_chain(x, y, self._words.steps(steps), state)
            return
        self._draw_edge_label(place, key, x, y, room)
        draw_symbol(self._painter, self._theme, state, QPointF(x, y), radius)
        if state == "reused":
            times: Line = ([self._words.repeats(key)], "bold", self._theme.bug)
            # Up to the neighbour's ring, or the edge of the screen; the double ring has the same meaning without words.
            free = min(room - 2 * self._clear, x - self._clear)
            self._letters.write(times, x - self._clear, y - self._letters.height / 2, free, "right")
        if self._layout.children[place]:
            self._write_label(place, key, x, y, room)
        elif state == "shared":
            self._draw_sharing(place, key, x, y, room)
        else:
            self._write_below(place, key, x, y, room)

    def _chain_box(self, x: float, y: float, words: str) -> QRectF:
        width, height = self._letters.width(words, "bold") + 12, self._letters.height + 2
        return QRectF(x - width / 2, y - height / 2, width, height)

    def _draw_chain(self, x: float, y: float, choices: list[str], state: KeyState) -> None:
        """Draw the folded steps of a chain as a small stack that names their number; a fault in it shows."""
        words, theme = choices[0], self._theme
        box, faulty = self._chain_box(x, y, words), state in FAULTS
        self._painter.setPen(QPen(QColor(theme.bug if faulty else theme.dim), (2.0 if faulty else 1.2) * theme.scale))
        self._painter.setBrush(QColor(theme.panel))
        for shift in (4.0, 2.0, 0.0):
            self._painter.drawRect(box.translated(shift, -shift))
        self._letters.write(
            (choices, "bold", theme.bug if faulty else theme.text), x, y - self._letters.height / 2, box.width()
        )

    def _draw_edge_label(self, place: int, key: int, x: float, y: float, room: float) -> None:
        """Write how the key was made from its parent, in front of the edge to it."""
        line: Line = (self._words.edge(key), "plain", self._theme.dim)
        radius, height = RADIUS * self._theme.scale, self._letters.height
        top = max(y - radius - RING * self._theme.scale - height, self._bus(place))
        words = self._letters.fitting(line, room - 4)
        if not words or top + height > y - radius:
            return
        width = self._letters.width(words) + 4
        self._painter.fillRect(QRectF(x - width / 2, top + 2, width, height - 2), QColor(self._theme.background))
        self._letters.write(line, x, top, room - 4)

    def _digits(self, place: int, key: int) -> list[Line]:
        """Return the digits of a selected key; those of other keys would only cover the tree."""
        return [(short_hex(self._words.index, key), "digits", self._theme.text)] if place in self._strong else []

    def _write_label(self, place: int, key: int, x: float, y: float, room: float) -> None:
        """Write the uses of a key to its right: its draws, its split."""
        theme, words, letters = self._theme, self._words, self._letters
        space = min(room / 2, self._screen.width - x)
        shift = self._clear
        for digits in self._digits(place, key):
            letters.write(digits, x + shift, y - letters.height / 2, space - shift, "left")
        lines: list[Line] = []
        if words.serves(key) > 1:
            lines.append((words.shared_by(key), "bold", theme.bug))
        lines.append((words.draws_in_line(key), "plain", self._use_colour(key)))
        lines.append((words.inside(key, self._layout.folded(place)), "plain", theme.dim))
        lines.append((words.split(key), "plain", theme.dim))
        bottom = self._screen.y(self._layout.level_of(place) + 1) + BUS
        written = letters.write_lines(lines, x + 7, y + letters.height / 2 + 2, space - 7, "left", bottom)
        self._note_spots(written[-3:-2], [words.index.draws.of(key).tolist()])

    def _note_spots(self, rooms: Sequence[QRectF | None], draws: Sequence[Sequence[int]]) -> None:
        """Note where draws are reported, and which."""
        self.spots += [spot_of(room, each) for room, each in zip(rooms, draws, strict=False) if room and each]

    def _use_colour(self, key: int) -> str:
        return self._theme.bug if self._words.index.state_of(key) in FAULTS else self._theme.dim

    def _write_below(self, place: int, key: int, x: float, y: float, room: float) -> None:
        """Write under a key without children its draws under a mark."""
        top = y + self._places.radius + 2
        if self._words.index.draws.count(key):
            self._painter.setPen(state_pen(self._theme, self._words.index.state_of(key)))
            self._painter.drawLine(QLineF(x, top - 2, x, top + 4))
            top += 4
        uses = [*self._words.draws(key), self._words.inside(key, self._layout.folded(place))]
        digits = self._digits(place, key)
        lines = digits + [(choices, "plain", self._use_colour(key)) for choices in uses]
        written = self._letters.write_lines(lines, x, top, room - 4, bottom=self._screen.height)[len(digits) :]
        self._note_spots(written, self._words.draws_by_site(key))
        draws = self._words.index.draws.of(key).tolist()
        if draws and not any(written):
            # Without room for words the mark replaces them.
            self.spots.append(spot_of(QRectF(x - 1, top - 6, 2, 6), draws))

    def _draw_sharing(self, place: int, key: int, x: float, y: float, room: float) -> None:
        """Draw the bracket under a shared key: one tick for each example that it serves."""
        theme, radius, scale = self._theme, self._places.radius, self._theme.scale
        serves = self._words.serves(key)
        half = min(room - 8 * scale, max(min(serves * TICK, WIDEST_BRACKET), 60) * scale) / 2
        top, tall = y + radius + 9 * scale, 9 * scale
        pen = state_pen(theme, "shared")
        ticks = np.linspace(x - half, x + half, min(serves, MOST_TICKS, max(2, int(half / 2)))).tolist()
        draw_bracket(self._painter, pen, x - half, x + half, top, tall)
        self._painter.drawLines([QLineF(x, y + radius, x, top), *(QLineF(at, top, at, top + tall) for at in ticks)])
        lines: list[Line] = [(self._words.shared_by(key), "bold", theme.bug)]
        uses = [*self._words.draws(key), self._words.inside(key, self._layout.folded(place))]
        lines += [(choices, "plain", theme.dim) for choices in uses]
        written = self._letters.write_lines(lines, x, top + tall + 2, room, bottom=self._screen.height)
        self._note_spots(written[1:], self._words.draws_by_site(key))
        shift = self._clear
        for digits in self._digits(place, key):
            self._letters.write(digits, x + shift, y - self._letters.height / 2, room / 2 - shift, "left")

    # -- what is lit ----------------------------------------------------------------------------

    def _draw_lit(self) -> None:
        marked = [place for place in self._points if self._lit.marked[place]]
        for fan in self._places.fans:
            lit = fan.start + np.flatnonzero(self._lit.marked[fan.start : fan.stop])
            if fan.columns:
                marked += lit.tolist()
            elif len(lit):
                for stretch in np.split(lit, 1 + np.flatnonzero(np.diff(lit) * fan.cell > APART)):
                    self._frame(fan, int(stretch[0]), int(stretch[-1]), 2.0)
        for place in marked[:MOST_RINGS]:
            self._ring(place, 2.0)
        pinned: set[float] = set()
        for place, width in self._lit.strong():
            self._ring(place, width)
            self._pin(place, pinned)

    def _ring(self, place: int, width: float) -> None:
        point, fan = self._places.point(place), self._places.fan_of(place)
        if point is None:
            return
        self._painter.setPen(QPen(QColor(self._theme.focus), width * self._theme.scale))
        self._painter.setBrush(self._theme.focus_fill())
        if steps := self._layout.steps(place):
            self._painter.drawRect(inset(self._chain_box(*point, self._words.steps(steps)[0]), -5))
            return
        if fan and not fan.columns:
            self._frame(fan, place, place, width)
            return
        radius = fan.cell * 0.48 if fan else self._places.radius + (RING - 1.5) * self._theme.scale
        self._painter.drawEllipse(QPointF(*point), radius, radius)

    def _frame(self, fan: Fan, first: int, last: int, width: float) -> None:
        """Frame a stretch of the band of `fan`; without a fill, which would be the colour of another kind of key."""
        left, right = fan.point(first)[0] - fan.cell / 2, fan.point(last)[0] + fan.cell / 2
        self._painter.setPen(QPen(QColor(self._theme.focus), width * self._theme.scale))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.drawRect(QRectF(left, fan.y - 2, max(right - left, 3.0), fan.height + 4))

    def _pin(self, place: int, pinned: set[float]) -> None:
        """Draw a pin at a marked key of a band or a block; one at each height."""
        point, fan = self._places.point(place), self._places.fan_of(place)
        needs = PIN_BELOW_BAND_PX if fan and not fan.columns else PIN_BELOW_CELL_PX
        if point and fan and fan.cell < needs * self._theme.scale and fan.y not in pinned:
            pinned.add(fan.y)
            words = short_hex(self._words.index, int(self._layout.node[place]))
            tip = QPointF(point[0], point[1] - fan.cell / 2 if fan.columns else fan.y - 3)
            draw_pin(self._painter, self._theme, self._letters, tip, words, self._screen.width)
