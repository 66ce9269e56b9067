"""The tree of keys as SVG, for use without a window: the layout, symbols and words of the Keys pane."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import numpy.typing as npt

from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.key_sentences import KeySentences, Translate
from explorer.figures.forest.layout import KeyLayout, lay_out
from explorer.figures.key_tally import FAULTS
from explorer.messages import KEY_STATES, KeyGraph, KeyState

# Pixels.
WIDTH, SLOT, LEVEL = 860.0, 104.0, 92.0
"""Maximum width of the picture, width of a key where there is room, height of a level."""
TOP = 36.0
"""From the top of a level to the centre of its keys, with the edge and its label in between."""
RADIUS, LETTER, LINE = 8.0, 6.0, 14.0
"""Radius of a symbol, width of a letter, height of a line of text."""
BOLD = 1.12
"""How many times as wide letters are in bold."""
ROOM_ALONE, CELL, NARROWEST = 22.0, 12.0, 6.0
"""Minimum width of a fan's key drawn on its own; size of a key in a block; minimum width before keys form a band."""
MOST_ROWS, MOST_LEVELS = 4, 24
WIDE = 1.8
"""Width of a Hangul syllable in letters."""
COLUMN = 4
"""Width of a band's column, which shows the worst key in it."""


def tree(graph: KeyGraph, tr: Translate = str) -> str:
    """Return the tree of keys as an ``<svg>`` with words translated by `tr`; empty for a graph without keys."""
    return _Drawing(graph, tr).svg() if graph.nodes else ""


def legend(graph: KeyGraph, tr: Translate = str) -> str:
    """Return the legend as HTML: symbol, word and number of the user's keys for each state that occurs."""
    if not graph.nodes:
        return ""
    index = KeyIndex(graph)
    words, parts = KeySentences(index, tr), []
    for state, count in index.tally.counts.items():
        drawn = "".join(symbol(state, 9, 9, 6) if state != "shared" else _shared_symbol())
        parts.append(
            f'<svg width="18" height="18" style="vertical-align:middle" aria-hidden="true">{drawn}</svg> '
            f"{escape(words.state(state))}: {count:,}"
        )
    return " &nbsp; ".join(parts)


def symbol(state: KeyState, x: float, y: float, radius: float) -> Iterator[str]:
    """Yield the SVG elements of a key: state by shape first, by colour second, as in the Keys pane."""
    if state == "orphan":
        far = radius * 1.15
        corners = ((x, y - far), (x + far, y), (x, y + far), (x - far, y))
        yield f'<polygon class="s orphan" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in corners)}"/>'
        return
    ring = ' style="fill:none"' if state == "reused" else ""
    yield f'<circle class="s {state}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"{ring}/>'
    if state == "reused":
        yield f'<circle class="s reused" cx="{x:.1f}" cy="{y:.1f}" r="{radius * 0.45:.1f}"/>'
    if state == "split" and radius >= 5:
        arm = radius * 0.5
        yield _path("s", (x, y - arm), (x, y), (x - arm, y + arm)) + _path("s", (x, y), (x + arm, y + arm))


def _shared_symbol() -> Iterator[str]:
    yield from symbol("shared", 9, 7, 4.5)
    yield _path("s shared", (4, 17), (4, 14), (14, 14), (14, 17))


class _Drawing:
    """Writer of one tree as SVG."""

    def __init__(self, graph: KeyGraph, tr: Translate) -> None:
        self._index = KeyIndex(graph)
        self._layout: KeyLayout = lay_out(self._index)
        self._words = KeySentences(self._index, tr)
        self._pitch = min(SLOT, WIDTH / self._layout.slots)
        self._levels = min(self._layout.levels, MOST_LEVELS)
        self._middle = (self._layout.left + self._layout.right) / 2 * self._pitch
        self._margin = 90.0 if self._layout.slots * self._pitch < 240 else 4.0
        self._parts: list[str] = []

    def svg(self) -> str:
        """Return the whole picture."""
        for level in range(self._levels):
            self._draw_edges(level)
        for level in range(self._levels):
            self._draw_level(level)
        width = self._layout.slots * self._pitch + 2 * self._margin
        height = self._levels * LEVEL + 6
        if self._levels < self._layout.levels:
            self._write(width / 2 - self._margin, height + 8, ["the levels below are left out"], 400)
            height += LINE
        box = f"{-self._margin:.0f} 0 {width:.0f} {height:.0f}"
        label = quoteattr(self._words.description())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width:.0f}" height="{height:.0f}" '
            f'role="img" aria-label={label}>{"".join(self._parts)}</svg>'
        )

    def _y(self, level: int) -> float:
        return level * LEVEL + TOP

    def _room(self, place: int) -> float:
        return float(self._layout.right[place] - self._layout.left[place]) * self._pitch

    def _state(self, place: int) -> KeyState:
        return KEY_STATES[int(self._layout.state[place])]

    # -- edges ----------------------------------------------------------------------------------

    def _draw_edges(self, level: int) -> None:
        """Draw for each family the trunk from above, a bus along it, and a line to each child with its own symbol."""
        places = self._layout.level(level)
        if not level or places.stop == places.start:
            return
        parents = self._layout.parent[places]
        turns = np.flatnonzero(np.diff(parents)) + 1
        bus = self._y(level) - TOP + 4
        for start, stop in pairwise([0, *turns.tolist(), len(parents)]):
            over, middles = int(parents[start]), self._middle[places][start:stop]
            if over < 0:
                continue
            x = float(self._middle[over])
            self._line((x, self._y(level - 1) + RADIUS), (x, bus))
            ends = [x, *self._reached(range(places.start + start, places.start + stop), middles)]
            self._line((min(ends), bus), (max(ends), bus))
            for place, middle in zip(range(places.start + start, places.start + stop), middles.tolist(), strict=True):
                if self._room(place) >= ROOM_ALONE:
                    self._line((middle, bus), (middle, self._y(level) - RADIUS - self._label_height(place)))

    def _reached(self, family: range, middles: npt.NDArray[np.float64]) -> tuple[float, float]:
        """Return the left and right end of the bus above a family; the middle for a block."""
        ends = float(middles[0]), float(middles[-1])
        if self._fan_of(family[0]) == self._fan_of(family[-1]) >= 0 and self._room(family[0]) < ROOM_ALONE:
            return (sum(ends) / 2,) * 2
        return ends

    def _fan_of(self, place: int) -> int:
        """Return the fan that contains a place, -1 for none."""
        fan = int(np.searchsorted(self._layout.fan_stop, place, "right"))
        return fan if fan < len(self._layout.fan_start) and place >= self._layout.fan_start[fan] else -1

    def _label_height(self, place: int) -> float:
        """Return the height of the edge's label above a key, or of the stack of a chain, in pixels."""
        forms = self._words.edge(int(self._layout.node[place]))
        if self._layout.steps(place):
            return 8.0
        return LINE + 3 if self._fan_of(place) < 0 and _fitting(forms, self._room(place)) else 0.0

    # -- keys -----------------------------------------------------------------------------------

    def _draw_level(self, level: int) -> None:
        places, at = self._layout.level(level), self._layout.level(level).start
        fans = self._layout.fans_between(places)
        for fan in range(fans.start, fans.stop):
            start, stop = int(self._layout.fan_start[fan]), int(self._layout.fan_stop[fan])
            self._draw_run(at, start, level)
            self._draw_fan(start, stop, level)
            at = stop
        self._draw_run(at, places.stop, level)

    def _draw_run(self, start: int, stop: int, level: int) -> None:
        narrow: list[int] = []
        for place in range(start, stop):
            if self._room(place) < NARROWEST:
                narrow.append(place)
            else:
                self._draw_key(place, level)
        self._draw_band(narrow, self._y(level) - RADIUS, 2 * RADIUS)

    def _draw_key(self, place: int, level: int) -> None:
        x, y, key, room = float(self._middle[place]), self._y(level), int(self._layout.node[place]), self._room(place)
        state, radius = self._state(place), min(RADIUS, room * 0.4)
        if steps := self._layout.steps(place):
            self._draw_chain(x, y, self._words.steps(steps), is_faulty=state in FAULTS)
            return
        self._write(x, y - RADIUS - 5, self._words.edge(key), room)
        self._parts += symbol(state, x, y, radius)
        if state == "reused":
            self._write(x + RADIUS + 4, y + 4, [self._words.repeats(key)], room / 2, "fault", "start")
        inside = self._words.inside(key, self._layout.folded(place))
        if self._layout.children[place]:
            self._write_lines(x + 7, y + RADIUS + 12, self._uses_of_parent(key, inside), room / 2 - 7, "start")
            return
        uses = [(forms, "fault" if state in FAULTS else "") for forms in self._words.draws(key)] + [(inside, "")]
        if state == "shared":
            self._draw_sharing(key, x, y, room)
            self._write_lines(x, y + RADIUS + 30, [(self._words.shared_by(key), "fault"), *uses], room)
        else:
            if state != "fresh" and uses[0][0] and radius >= 5:
                self._parts.append(_path(f"s {state}", (x, y + radius), (x, y + radius + 6)))
            self._write_lines(x, y + RADIUS + 19, uses, room)

    def _uses_of_parent(self, key: int, inside: Sequence[str]) -> list[tuple[Sequence[str], str]]:
        shared = self._words.shared_by(key) if self._words.serves(key) > 1 else []
        colour = "fault" if self._index.state_of(key) in FAULTS else ""
        return [(shared, "fault"), (self._words.draws_in_line(key), colour), (inside, ""), (self._words.split(key), "")]

    def _draw_sharing(self, key: int, x: float, y: float, room: float) -> None:
        """Draw the bracket under a shared key, with one tick per served example."""
        serves = self._words.serves(key)
        half = max(8.0, min(room - 8, max(min(serves * 7.0, 260.0), 60.0)) / 2)
        top = y + RADIUS + 8
        for at in np.linspace(x - half, x + half, min(serves, int(half / 2))).tolist():
            self._parts.append(_path("s shared", (at, top), (at, top + 8)))
        self._parts.append(_path("s shared", (x, y + RADIUS), (x, top)))
        self._parts.append(_path("s shared", (x - half, top), (x + half, top)))

    def _draw_chain(self, x: float, y: float, forms: Sequence[str], *, is_faulty: bool) -> None:
        width = len(forms[0]) * LETTER + 14
        left, right = x - width / 2, x + width / 2
        self._parts.append(f'<rect class="line" x="{left:.1f}" y="{y - 10:.1f}" width="{width:.1f}" height="20"/>')
        for shift in (3, 6):
            top = y - 10 - shift
            self._line((left + shift, top), (right + shift, top), (right + shift, y + 10 - shift))
        self._write(x, y + 4, forms, width, "fault" if is_faulty else "strong")

    # -- many keys ------------------------------------------------------------------------------

    def _draw_fan(self, start: int, stop: int, level: int) -> None:
        """Draw childless siblings: side by side, as a block, or as a band if there are too many."""
        if self._room(start) >= ROOM_ALONE and stop - start <= WIDTH / ROOM_ALONE:
            radius = RADIUS
            for place in range(start, stop):
                self._parts += symbol(self._state(place), float(self._middle[place]), self._y(level), radius)
            self._caption(start, stop, self._y(level) + RADIUS + 17)
            return
        left, right = (float(each) * self._pitch for each in (self._layout.left[start], self._layout.right[stop - 1]))
        columns = max(1, int((right - left - 8) / CELL))
        rows = -(-(stop - start) // columns)
        top = self._y(level) - RADIUS
        self._line(((left + right) / 2, top - TOP + RADIUS + 4), ((left + right) / 2, top - 3))
        if rows > MOST_ROWS:
            self._draw_band(range(start, stop), top, 24)
            self._caption(start, stop, top + 24 + 14)
            return
        begin = (left + right) / 2 - min(columns, stop - start) * CELL / 2
        for number, place in enumerate(range(start, stop)):
            row, column = divmod(number, columns)
            x, y = begin + (column + 0.5) * CELL, top + (row + 0.5) * CELL
            self._parts += symbol(self._state(place), x, y, CELL * 0.32)
        self._caption(start, stop, top + rows * CELL + 12)

    def _draw_band(self, places: Iterable[int], top: float, height: float) -> None:
        """Draw keys too narrow for a symbol, each column in the colour of its worst key."""
        worst: dict[int, tuple[int, KeyState]] = {}
        for place in places:
            state = self._state(place)
            gravity = _GRAVITY.index(state)
            column = int(self._middle[place] / COLUMN)
            worst[column] = min(worst.get(column, (gravity, state)), (gravity, state))
        for column, (_, state) in worst.items():
            self._parts.append(
                f'<rect class="s {state}" x="{column * COLUMN + 0.5:.1f}" y="{top:.1f}" width="{COLUMN - 1}" '
                f'height="{height:.1f}" style="stroke-width:.6"/>'
            )

    def _caption(self, start: int, stop: int, y: float) -> None:
        words = self._words.fan(self._layout.node[start:stop])
        left, right = float(self._layout.left[start]), float(self._layout.right[stop - 1])
        lines = [(words.states, "fault" if words.faulty else "strong"), (words.draws, "")]
        self._write_lines((left + right) / 2 * self._pitch, y, lines, (right - left) * self._pitch)

    # -- lines and letters ----------------------------------------------------------------------

    def _line(self, *points: tuple[float, float]) -> None:
        self._parts.append(_path("line", *points))

    def _write_lines(
        self, x: float, y: float, lines: Iterable[tuple[Sequence[str], str]], room: float, anchor: str = "middle"
    ) -> None:
        for forms, colour in lines:
            y += LINE * self._write(x, y, forms, room, colour, anchor)

    def _write(
        self, x: float, y: float, forms: Sequence[str], room: float, colour: str = "", anchor: str = "middle"
    ) -> bool:
        """Write the longest of the `forms` that fits, and return whether one did."""
        if self._layout.slots == 1:
            room = max(room, self._margin * 2) if anchor == "middle" else room + self._margin
        words = _fitting(forms, room / BOLD if colour else room)
        if words:
            of_colour = f' class="{colour}"' if colour else ""
            self._parts.append(
                f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{of_colour}>{escape(words)}</text>'
            )
        return bool(words)


_GRAVITY: tuple[KeyState, ...] = (*reversed(FAULTS), *(state for state in KEY_STATES if state not in FAULTS))
"""Worst state first."""


def _fitting(forms: Sequence[str], room: float) -> str:
    """Return the longest of the `forms` that fits; empty if none does."""
    return next((form for form in forms if sum(map(_letter_width, form)) <= room), "")


def _letter_width(letter: str) -> float:
    return LETTER * (1 if unicodedata.east_asian_width(letter) not in "WF" else WIDE)


def _path(of: str, *points: tuple[float, float]) -> str:
    return f'<polyline class="{of}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>'
