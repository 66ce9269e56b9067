"""Screen: the visible part of a key forest, in pixels, zoomed and panned; chosen_form(): icicle or tree."""

from __future__ import annotations

from typing import Literal, TypeVar, get_args

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from explorer.figures.forest.layout import KeyLayout

Number = TypeVar("Number", float, npt.NDArray[np.float64])
Form = Literal["icicle", "tree"]
Choice = Literal["auto", "icicle", "tree"]
CHOICES: tuple[Choice, ...] = get_args(Choice)

# Pixels at text size 1.
ROW = {"icicle": (4.0, 54.0), "tree": (40.0, 220.0)}
"""Least and greatest height of a level."""
USUAL_ROW = 92.0
"""Pixels per level of a tree at which all labels fit; with more room the letters grow first."""
TAIL = {"icicle": 0.0, "tree": 0.8}
"""Levels of room below the last level, for fans and their labels."""
TREE_PITCH = 13.0
"""Room that a key needs in a tree."""
MARGIN = 8.0
LEAST_ON_SCREEN = 3
"""Keys, of the narrowest, that the closest zoom still shows side by side."""
MOST_IN_A_TREE = 2000
"""The number of keys from which a tree is a grey band on any screen."""
KEYS_OF_A_FAN = 2
"""The number of keys that a fan counts as, because it takes more room than one."""
LABEL = 96.0
"""Pixels of a key with its digits, at text size 1."""
MOST_GROWTH = 1.7
"""The largest factor by which text and symbols grow."""
WHOLE = 0.999
"""A viewport that spans this share of the forest counts as all of it."""


class Extent(msgspec.Struct, frozen=True):
    """How many levels a forest has, and how many keys and fans the fullest of them draws."""

    levels: int = 1
    widest: int = 1

    @staticmethod
    def of(layout: KeyLayout) -> Extent:
        """Return the extent of a forest."""
        in_fans = np.zeros(len(layout.node) + 1, np.int64)
        in_fans[layout.fan_start] += 1
        in_fans[layout.fan_stop] -= 1
        drawn = 1 - np.cumsum(in_fans)[:-1]
        drawn[layout.fan_start] = KEYS_OF_A_FAN
        return Extent(layout.levels, int(np.add.reduceat(drawn, layout.level_start[:-1]).max()))

    def joined(self, other: Extent) -> Extent:
        """Return the extent that has room for both."""
        return Extent(max(self.levels, other.levels), max(self.widest, other.widest))


class Viewport(msgspec.Struct, frozen=True):
    """The visible part: `span` slots from `left`, levels from `top`."""

    left: float
    span: float
    top: float = 0.0

    @staticmethod
    def whole(layout: KeyLayout) -> Viewport:
        """Return the viewport that spans every slot."""
        return Viewport(0.0, layout.slots)


class Screen(msgspec.Struct, frozen=True):
    """A viewport on a screen of a given size in pixels, in one form."""

    layout: KeyLayout
    viewport: Viewport
    width: float
    height: float
    extent: Extent
    """The extent of the whole picture; pictures side by side share it, so that they have one scale."""
    scale: float
    """The size of text and symbols relative to the theme's at text size 1."""
    form: Form

    @property
    def margin(self) -> float:
        """Pixels kept free around the picture."""
        return MARGIN * self.scale

    @property
    def row(self) -> float:
        """Pixels from one level to the next."""
        least, most = (pixels * self.scale for pixels in ROW[self.form])
        zoom = self.layout.slots / self.viewport.span
        return min(most, max(least, self._free / (self.extent.levels + TAIL[self.form]) * zoom))

    @property
    def per_slot(self) -> float:
        """Pixels of one slot."""
        return max(1.0, self.width - 2 * self.margin) / self.viewport.span

    @property
    def slots(self) -> tuple[float, float]:
        """The slots at the left and right edge of the screen."""
        return self.slot_at(0.0), self.slot_at(self.width)

    @property
    def level_range(self) -> range:
        """The levels that are on screen, in part at least."""
        first = max(0, int(self.level_at(0.0)))
        return range(first, max(first, min(self.layout.levels, int(self.level_at(self.height)) + 1)))

    def x(self, slot: Number) -> Number:
        """Return the pixel of a slot, or of each of many."""
        return self.margin + (slot - self.viewport.left) * self.per_slot

    def y(self, level: float) -> float:
        """Return the pixel where a level begins."""
        return self._top + (level - self.viewport.top) * self.row

    def slot_at(self, x: float) -> float:
        return self.viewport.left + (x - self.margin) / self.per_slot

    def level_at(self, y: float) -> float:
        return self.viewport.top + (y - self._top) / self.row

    # -- moving: each returns the viewport to show next -----------------------------------------

    def zoomed(self, factor: float, x: float, y: float) -> Viewport:
        """Return the viewport zoomed by `factor`, with pixel (x, y) fixed."""
        slot, level = self.slot_at(x), self.level_at(y)
        closer = self._spanning(self.viewport.span / factor)
        left = slot - (x - self.margin) / closer.per_slot
        return closer.clamped(Viewport(left, closer.viewport.span, level - (y - closer._top) / closer.row))

    def panned(self, dx: float, dy: float) -> Viewport:
        """Return the viewport after a drag by (dx, dy) pixels."""
        here = self.viewport
        return self.clamped(Viewport(here.left - dx / self.per_slot, here.span, here.top - dy / self.row))

    def around(self, place: int) -> Viewport:
        """Return the viewport of a place with its subtree, as large as possible."""
        left, right = float(self.layout.left[place]), float(self.layout.right[place])
        closer = self._spanning((right - left) * 1.04)
        span = closer.viewport.span
        return closer.clamped(Viewport((left + right - span) / 2, span, self.layout.level_of(place) - 0.5))

    def containing(self, place: int) -> Viewport:
        """Return this viewport, moved by the smallest distance that shows a place."""
        here, layout = self.viewport, self.layout
        left, right, level = float(layout.left[place]), float(layout.right[place]), layout.level_of(place)
        start, top = here.left, here.top
        if right <= start or left >= start + here.span:
            start = (left + right - here.span) / 2
        if self.y(level) < 0 or self.y(level + 1) > self.height:
            top = level - max(0.0, (self.height / self.row - 1) / 2)
        return self.clamped(Viewport(start, here.span, top))

    def clamped(self, viewport: Viewport) -> Viewport:
        """Return `viewport` moved so that it shows keys."""
        span = min(viewport.span, self.layout.slots)
        screen = replace(self, viewport=replace(viewport, span=span))
        rows = self.layout.levels + TAIL[self.form] - self._free / screen.row
        left = min(max(0.0, viewport.left), self.layout.slots - span)
        return Viewport(left, span, min(max(0.0, viewport.top), max(0.0, rows)))

    def _spanning(self, slots: float) -> Screen:
        least = min(self.layout.slots, self.layout.least_width * LEAST_ON_SCREEN)
        span = min(self.layout.slots, max(slots, least))
        return replace(self, viewport=replace(self.viewport, span=span))

    @property
    def _free(self) -> float:
        return max(1.0, self.height - 2 * self.margin)

    @property
    def _top(self) -> float:
        """The pixel of the viewport's top: a tree that is lower than the screen is centred."""
        spare = self._free - (self.extent.levels + TAIL[self.form]) * self.row
        return self.margin + (max(0.0, spare / 2) if self.form == "tree" else 0.0)


def chosen_form(screen: Screen, choice: Choice) -> Screen:
    """Return `screen` in the chosen form, else as a tree where the keys fit; too many keys are always an icicle."""
    tree, icicle = _grown(replace(screen, form="tree")), replace(screen, form="icicle")
    if choice == "auto":
        zoomed_in = screen.viewport.span < screen.layout.slots * WHOLE
        fits = tree.row * tree.extent.levels <= screen.height
        return tree if (fits or zoomed_in) and has_room(tree) else icicle
    return tree if choice == "tree" and sum(_counts(tree)) <= MOST_IN_A_TREE else icicle


def _grown(tree: Screen) -> Screen:
    """Return `tree` with larger text and symbols, where few keys have much room."""
    high = tree.height / ((tree.extent.levels + TAIL["tree"]) * USUAL_ROW * tree.scale)
    wide = tree.width / (tree.extent.widest * LABEL * tree.scale)
    return replace(tree, scale=tree.scale * min(MOST_GROWTH, max(1.0, min(high, wide))))


def has_room(tree: Screen) -> bool:
    """Return whether the keys on screen can be distinguished when drawn as a tree."""
    room = tree.width / (TREE_PITCH * tree.scale)
    counts = _counts(tree)
    return max(counts, default=0) <= room and sum(counts) <= MOST_IN_A_TREE


def _counts(tree: Screen) -> list[int]:
    return [_drawn_in(tree, level) for level in tree.level_range]


def _drawn_in(tree: Screen, level: int) -> int:
    """Return how many keys a level of the tree draws, each fan counting as a few."""
    layout = tree.layout
    places = layout.between(level, *tree.slots)
    fans = layout.fans_between(places)
    starts = layout.fan_start[fans].clip(places.start, places.stop)
    stops = layout.fan_stop[fans].clip(places.start, places.stop)
    alone: int = places.stop - places.start - int((stops - starts).sum())
    return alone + KEYS_OF_A_FAN * len(starts)
