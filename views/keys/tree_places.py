"""place_tree() lays a tree's keys out on screen: single keys, and fans of keys as a block or a band."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from views.keys.screen import Screen

# Pixels at text size 1.
RADIUS = 8.5
CELL_RADIUS = 0.32
"""The radius of a key in a block, in cells."""
LABEL_TOP = 35.0
"""Pixels from the top of a level to the middle of its keys: room for the edge and its label."""
CAPTION = 42.0
"""Pixels of room under a fan for its caption."""
FAN_PITCH = 22.0
"""Least pixels per key at which the keys of a fan are drawn as a row."""
CELLS = (24.0, 8.0)
"""Largest and smallest cell of a key in a block, in pixels."""
MOST_CELLS = 2000
"""Keys drawn in all blocks together."""

Floats = npt.NDArray[np.float64]
Int32 = npt.NDArray[np.int32]


class Fan(msgspec.Struct, frozen=True):
    """Childless siblings drawn close together: a block of cells, or a band where they are too many."""

    start: int
    """The first place."""
    stop: int
    """The end of the places, exclusive."""
    x: float
    y: float
    width: float
    height: float
    columns: int
    """The number of keys in a row of a block, 0 for a band, which may reach beyond the screen."""
    cell: float
    """Pixels of one key, of both sides in a block."""

    @property
    def count(self) -> int:
        """The number of keys in the fan."""
        return self.stop - self.start

    def point(self, place: int) -> tuple[float, float]:
        """Return the middle of a key of this fan."""
        number = place - self.start
        if not self.columns:
            return self.x + (number + 0.5) * self.cell, self.y + self.height / 2
        row, column = divmod(number, self.columns)
        return self.x + (column + 0.5) * self.cell, self.y + (row + 0.5) * self.cell

    def at(self, x: float, y: float) -> int | None:
        """Return the place at a pixel, None for none."""
        if not (0 <= x - self.x < self.width and 0 <= y - self.y < self.height):
            return None
        if not self.columns:
            return min(self.start + int((x - self.x) / self.cell), self.stop - 1)
        place = self.start + int((y - self.y) / self.cell) * self.columns + int((x - self.x) / self.cell)
        return place if place < self.stop else None


class TreePlaces(msgspec.Struct, frozen=True):
    """All that a tree draws."""

    place: Int32
    """int32[k]: the single keys."""
    x: Floats
    """float64[k]: their middles."""
    y: Floats
    room: Floats
    """float64[k]: pixels from the left to the right neighbour's room."""
    fans: tuple[Fan, ...]
    radius: float

    def point(self, place: int) -> tuple[float, float] | None:
        """Return the middle of a key, None where it is not on screen."""
        found = np.flatnonzero(self.place == place)
        if found.size:
            return float(self.x[found[0]]), float(self.y[found[0]])
        fan = self.fan_of(place)
        return fan.point(place) if fan else None

    def fan_of(self, place: int) -> Fan | None:
        """Return the block or band that contains a key."""
        return next((fan for fan in self.fans if fan.start <= place < fan.stop), None)

    def at(self, x: float, y: float) -> int | None:
        """Return the place at a pixel, else the single key near it."""
        for fan in self.fans:
            if (place := fan.at(x, y)) is not None:
                return place
        if not self.place.size:
            return None
        distance = np.hypot(self.x - x, self.y - y)
        nearest = int(distance.argmin())
        return int(self.place[nearest]) if distance[nearest] <= self.radius * 1.6 else None


def place_tree(screen: Screen) -> TreePlaces:
    """Return the layout of the keys on `screen`. No two overlap while the screen has room for a tree."""
    singles, fans = [], []
    for level in screen.level_range:
        places = screen.layout.between(level, *screen.slots)
        alone = np.ones(places.stop - places.start, bool)
        for start, stop in _fans(screen, places):
            alone[max(start, places.start) - places.start : stop - places.start] = False
            fans.append((start, stop, level))
        singles.append(places.start + np.flatnonzero(alone))
    place = np.concatenate([*singles, np.zeros(0, int)]).astype(np.int32)
    x, y, room = _middles(screen, place)
    cells = sum(stop - start for start, stop, _ in fans)
    return TreePlaces(
        place, x, y, room,
        tuple(_fan(screen, start, stop, level, cells <= MOST_CELLS) for start, stop, level in fans),
        _radius(screen, place),
    )  # fmt: skip


def _fans(screen: Screen, places: slice) -> list[tuple[int, int]]:
    """Return the fans among `places` whose keys have no room one by one."""
    layout = screen.layout
    fans = layout.fans_between(places)
    found = zip(layout.fan_start[fans].tolist(), layout.fan_stop[fans].tolist(), strict=True)
    least = FAN_PITCH * screen.scale / screen.per_slot
    return [(start, stop) for start, stop in found if layout.right[start] - layout.left[start] < least]


def _middles(screen: Screen, place: Int32) -> tuple[Floats, Floats, Floats]:
    """Return x, y and room of single keys; one above many others stays on screen while any of these is."""
    layout, room = screen.layout, RADIUS * 2 * screen.scale
    left, right = screen.x(layout.left[place]), screen.x(layout.right[place])
    middle, first, last = (left + right) / 2, np.maximum(left, 0.0), np.minimum(right, screen.width)
    inset = np.minimum(room, (last - first) / 2)
    x = np.where(right - left > 2 * room, np.clip(middle, first + inset, last - inset), middle)
    level = np.searchsorted(layout.level_start, place, "right") - 1
    y: Floats = np.asarray(screen.y(0) + level * screen.row + _label_top(screen), np.float64)
    return x, y, np.asarray(last - first, np.float64)


def _radius(screen: Screen, place: Int32) -> float:
    """Return the radius of the single keys: one size for all, small enough for the narrowest."""
    slots = (screen.layout.right[place] - screen.layout.left[place]).min(initial=screen.layout.slots)
    return float(np.clip(slots * screen.per_slot * 0.36, 2.5, RADIUS * screen.scale))


def _label_top(screen: Screen) -> float:
    return min(LABEL_TOP * screen.scale, screen.row * 0.64)


def _fan(screen: Screen, start: int, stop: int, level: int, may_be_block: bool) -> Fan:
    """Return a fan as a block of the largest cells that fit, else as a band."""
    layout = screen.layout
    left = max(screen.x(float(layout.left[start])), screen.margin / 2)
    right = min(screen.x(float(layout.right[stop - 1])), screen.width - screen.margin / 2)
    width = max(right - left, 1.0)
    top = screen.y(level) + _label_top(screen) - RADIUS * screen.scale
    bottom = screen.height if level == layout.levels - 1 else screen.y(level + 1)
    height = max(bottom - top - CAPTION * screen.scale, RADIUS * 2 * screen.scale)
    cell = _largest_cell(stop - start, width, height, screen.scale) if may_be_block else 0.0
    if not cell:
        begin, end = screen.x(float(layout.left[start])), screen.x(float(layout.right[stop - 1]))
        band = min(height, 3 * RADIUS * screen.scale)
        return Fan(start, stop, begin, top, end - begin, band, 0, (end - begin) / (stop - start))
    columns, rows = _even_block(stop - start, int(width / cell), int(height / cell))
    inset = (width - columns * cell) / 2
    return Fan(start, stop, left + inset, top, columns * cell, rows * cell, columns, cell)


def _largest_cell(count: int, width: float, height: float, scale: float) -> float:
    """Return the largest cell, in whole pixels, with which `count` cells fit; 0.0 where none does."""
    for cell in np.arange(CELLS[0] * scale, CELLS[1] * scale - 0.5, -1.0):
        if int(width / cell) * int(height / cell) >= count:
            return float(cell)
    return 0.0


def _even_block(count: int, most_columns: int, most_rows: int) -> tuple[int, int]:
    """Return columns and rows of a block, with full rows where one row more makes them so."""
    rows = -(-count // most_columns)
    if 1 < rows < most_rows and count % (rows + 1) == 0:
        rows += 1
    return -(-count // rows), rows
