"""KeyPicture: the state of one picture of keys: contents, viewport, marks, cursor; all but its painting."""

from __future__ import annotations

import msgspec
import numpy as np

from explorer.figures.forest.collapsing import Booleans
from explorer.figures.forest.key_sentences import KeySentences
from explorer.figures.forest.layout import KeyLayout, Step, lay_out
from views.keys.screen import Choice, Extent, Screen, Viewport, chosen_form
from views.keys.tree_places import TreePlaces, place_tree

FEW = 8
"""The most marked keys that get a pin, such as those of one example."""


class KeyHighlights(msgspec.Struct, frozen=True):
    """The highlights of a picture."""

    marked: Booleans
    """bool[m]: whether a place holds a marked key."""
    focused: int | None = None
    """The slot of the focused key."""
    current: int | None = None
    """The slot of the keyboard's cursor."""

    def strong(self) -> list[tuple[int, float]]:
        """Return the places to outline most, with the pen's width in pixels at text size 1."""
        pens = ((self.focused, 3.0), (self.current, 1.5))
        few = np.flatnonzero(self.marked) if np.count_nonzero(self.marked) <= FEW else ()
        others = [(int(place), 2.0) for place in few if place not in (self.focused, self.current)]
        return [(place, width) for place, width in pens if place is not None] + others


class TreeView(msgspec.Struct, frozen=True):
    screen: Screen
    places: TreePlaces | None
    """The layout of a tree's keys; None for an icicle."""
    lit: KeyHighlights


class KeyPicture:
    """The keys of one graph, zoomed and walked through."""

    def __init__(self, words: KeySentences, before: KeyPicture | None = None) -> None:
        self.words = words
        self.viewport: Viewport | None = None
        self.current: int | None = None
        self.has_keyboard = True
        """Whether the canvas has the keyboard, so that its cursor is drawn."""
        self.size = (1.0, 1.0)
        self.scale = 1.0
        self.choice: Choice = "auto"
        self.marked: frozenset[int] = frozenset()
        self.focused: int | None = None
        if before is not None:
            self._take_over(before)
        self.layout: KeyLayout = lay_out(words.index)
        self._extent: Extent | None = None
        self.other: KeyPicture | None = None
        """The picture next to this one."""

    def _take_over(self, before: KeyPicture) -> None:
        """Go on where a user was, if the forest has the same shape."""
        self.size, self.scale, self.choice = before.size, before.scale, before.choice
        self.marked, self.focused = before.marked, before.focused
        if np.array_equal(before.words.index.parent, self.words.index.parent):
            self.viewport, self.current = before.viewport, before.current

    @property
    def extent(self) -> Extent:
        """The extent of the whole picture."""
        if self._extent is None:
            self._extent = Extent.of(self.layout)
        return self._extent

    def view(self) -> TreeView:
        screen = self.screen()
        return TreeView(screen, place_tree(screen) if screen.form == "tree" else None, self._lit())

    def screen(self) -> Screen:
        """Return the part on screen, in the form that was chosen or reads best; next to an icicle it is one too."""
        if self.viewport is not None or self.choice != "auto":
            return self._screen(self.viewport, self.choice)
        beside = self.other._screen(None, "auto").form if self.other is not None else "tree"
        return self._screen(None, "auto" if beside == "tree" else beside)

    def _screen(self, viewport: Viewport | None, choice: Choice) -> Screen:
        extent = self.extent.joined(self.other.extent) if self.other is not None else self.extent
        viewport = viewport or Viewport.whole(self.layout)
        return chosen_form(Screen(self.layout, viewport, *self.size, extent, self.scale, "tree"), choice)

    def at(self, view: TreeView, x: float, y: float) -> int | None:
        """Return the place at a pixel of `view`."""
        if view.places is not None:
            return view.places.at(x, y)
        return self.layout.at(int(np.floor(view.screen.level_at(y))), view.screen.slot_at(x))

    def key(self, place: int) -> int:
        return int(self.layout.node[place])

    def draws(self, place: int) -> list[int]:
        drawn: list[int] = self.words.index.draws.of(self.key(place)).tolist()
        return drawn

    def story(self, place: int) -> str:
        return self.words.story_at(self.layout, place)

    def _lit(self) -> KeyHighlights:
        marked = np.zeros(len(self.layout.node), bool)
        keys = np.fromiter(self.marked, np.int64, len(self.marked))
        marked[self.layout.place[keys[(keys >= 0) & (keys < len(self.layout.place))]]] = True
        return KeyHighlights(marked, self._place(self.focused), self.current if self.has_keyboard else None)

    def _place(self, key: int | None) -> int | None:
        return int(self.layout.place[key]) if key is not None and key < len(self.layout.place) else None

    # -- moving ---------------------------------------------------------------------------------

    def zoom(self, factor: float, x: float, y: float) -> None:
        """Zoom in by `factor` around a pixel."""
        self._look(self.screen().zoomed(factor, x, y))

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by (dx, dy) pixels."""
        self._look(self.screen().panned(dx, dy))

    def zoom_to(self, place: int) -> None:
        self._look(self.screen().around(place))

    def go_to(self, place: int) -> None:
        """Move the keyboard's cursor to a place."""
        self.current = place
        self.bring_on_screen(place)

    def walk(self, step: Step) -> None:
        """Go to the parent, the first child or a sibling; from nowhere, to the first root."""
        self.go_to(0 if self.current is None else self.layout.neighbour(self.current, step))

    def bring_on_screen(self, place: int) -> None:
        """Scroll by the smallest distance that shows a place."""
        self._look(self.screen().containing(place))

    def focus(self, key: int | None) -> None:
        """Have a key in focus; a new one is brought on screen."""
        changed, self.focused = key != self.focused, key
        place = self._place(key)
        if changed and place is not None:
            self.bring_on_screen(place)

    def _look(self, viewport: Viewport) -> None:
        whole = viewport.span >= self.layout.slots and viewport.top <= 0
        self.viewport = None if whole else viewport
