"""The tree of keys as a list that folds, in HTML: with the words of the Keys pane, also for a screen reader."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from explorer.figures.forest import drawing
from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.key_sentences import KeySentences, Translate
from explorer.figures.forest.layout import lay_out
from explorer.messages import KEY_STATES, KeyGraph
from explorer.messages.selection import FocusKind
from explorer.text.html import Html, html, tag
from explorer.text.text import say

MOST_KEYS, MOST_DRAWS = 1000, 8
"""The most keys that are listed, level by level, and draws of each."""


class KeyListing:
    """The keys that are drawn of a graph with keys, and their draws, in the order of the tree.

    All of `named` are listed, with the keys above them. The words of the Keys pane are translated by `tr`.
    """

    def __init__(self, graph: KeyGraph, named: Collection[int] = (), tr: Translate = str) -> None:
        self._index = KeyIndex(graph)
        self._words = KeySentences(self._index, tr)
        self._layout = lay_out(self._index)
        self._listed = set(range(min(len(self._layout.node), MOST_KEYS)))
        for key in named:
            place = int(self._layout.place[key])
            while place >= 0 and place not in self._listed:
                self._listed.add(place)
                place = int(self._layout.parent[place])

    @property
    def verdict(self) -> str:
        """The verdict on all keys, in a few words."""
        return self._words.verdict

    def shown(self, keys: Collection[int]) -> frozenset[int]:
        """Return the keys that stand for `keys`: others may be folded into them."""
        return frozenset(int(self._layout.node[self._layout.place[key]]) for key in keys)

    def things(self) -> Iterator[tuple[FocusKind, int]]:
        """Yield the listed keys and draws: ``("key", 3)``, ``("draw", 5)``."""
        for place in self._listed:
            key = int(self._layout.node[place])
            yield "key", key
            yield from (("draw", draw) for draw in self._draws(key)[:MOST_DRAWS])

    def html(self) -> Html:
        """Return a tree for a screen reader, flat, with the level of each item; keys of draws alone are folded.

        The ``data-thing`` of an item is its number, after a k for a key and a d for a draw.
        """
        return tag("ul", *self._items(), role="tree", aria_label=str(say("Keys")))

    def _items(self) -> Iterator[Html]:
        roots = self._layout.level(0)
        waiting = [(place, 1) for place in reversed(range(roots.start, roots.stop))]
        while waiting:
            place, level = waiting.pop()
            if place not in self._listed:
                continue
            start, count = int(self._layout.first_child[place]), int(self._layout.children[place])
            yield self._key(place, level, has_children=bool(count))
            yield from self._draw_items(int(self._layout.node[place]), level + 1, is_hidden=not count)
            waiting += [(child, level + 1) for child in reversed(range(start, start + count))]
        if (more := len(self._layout.node) - len(self._listed)) > 0:
            yield _item("", str(say("and {count:,} more", count=more)), 1)

    def _draws(self, key: int) -> list[int]:
        drawn: list[int] = self._index.draws.of(key).tolist()
        return drawn

    def _key(self, place: int, level: int, *, has_children: bool) -> Html:
        key = int(self._layout.node[place])
        state = KEY_STATES[int(self._layout.state[place])]
        symbol = tag("svg", Html("".join(drawing.symbol(state, 9, 9, 6))), width=18, height=18, aria_hidden="true")
        words = html(symbol, " ", tag("b", self._words.edge(key)[0]), " ", self._words.story_at(self._layout, place))
        is_open = has_children if has_children or self._draws(key) else None
        return _item(f"k{key}", words, level, is_open=is_open)

    def _draw_items(self, key: int, level: int, *, is_hidden: bool) -> Iterator[Html]:
        draws = self._draws(key)
        for draw in draws[:MOST_DRAWS]:
            yield _item(f"d{draw}", self._words.draw(draw), level, is_hidden=is_hidden)
        if len(draws) > MOST_DRAWS:
            more = say("and {count:,} more", count=len(draws) - MOST_DRAWS)
            yield _item("", str(more), level, is_hidden=is_hidden)


def _item(thing: str, words: str, level: int, *, is_hidden: bool = False, is_open: bool | None = None) -> Html:
    return tag(
        "li",
        tag("span", class_="fold", aria_hidden="true"),
        tag("span", words),
        role="treeitem",
        aria_level=level,
        aria_expanded=None if is_open is None else str(is_open).lower(),
        data_thing=thing or None,
        hidden=is_hidden,
        tabindex="-1",
        style=f"--level:{level}",
    )
