"""``KeyIndex``: a KeyGraph with lookups from a key to its draws, splits and children."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.figures.key_tally import KeyTally
from explorer.messages import KEY_STATES, ORIGINS, KeyGraph, KeyOrigin, KeyState, Site

Integers = npt.NDArray[np.int64]

WORDS = {"threefry2x32": 2, "fry": 2}
"""Words per key of narrower implementations; their data is padded in a mixed graph."""


class Rows:
    """The rows of a table by key: `keys` of each row, int[m], `rows` their numbers, int64[m], if not 0 to m - 1."""

    def __init__(self, keys: npt.NDArray[Any], nodes: int, rows: Integers | None = None) -> None:
        order = np.argsort(keys, kind="stable")
        self._order = order if rows is None else rows[order]
        self._start = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=nodes))])

    def of(self, key: int) -> Integers:
        """Return the rows of `key`, int64[k], in order."""
        return self._order[self._start[key] : self._start[key + 1]]

    def count(self, key: int) -> int:
        """Return the number of rows of `key`."""
        return int(self._start[key + 1] - self._start[key])


class KeyIndex:
    """The columns of a graph as NumPy arrays; lookups are built on first use."""

    def __init__(self, graph: KeyGraph) -> None:
        self.graph = graph
        self.tally = KeyTally(graph)
        self.nodes = graph.nodes
        self.parent: npt.NDArray[np.int32] = graph.parent.numpy()
        self.state: npt.NDArray[np.uint8] = self.tally.state
        self.times: npt.NDArray[np.int32] = graph.times.numpy()
        self.site: npt.NDArray[np.int32] = graph.site.numpy()
        self.draw_key: npt.NDArray[np.int32] = graph.draw_key.numpy()
        self.draw_site: npt.NDArray[np.int32] = graph.draw_site.numpy()
        self.draw_example: npt.NDArray[np.int32] = graph.draw_example.numpy()
        self.draw_serves: npt.NDArray[np.int32] = graph.draw_serves.numpy()
        self.other_parents: npt.NDArray[np.int32] = graph.other_parents.numpy().reshape(-1, 2)

    @cached_property
    def data(self) -> npt.NDArray[np.uint32]:
        """uint32[n, words]: the key data."""
        words: npt.NDArray[np.uint32] = self.graph.data.numpy().reshape(self.nodes, -1)
        return words

    @cached_property
    def repeats(self) -> npt.NDArray[np.int32]:
        """int32[n]: how often the key, or the most used one of those folded into it, was consumed."""
        repeats = self.times.copy()
        np.maximum.at(repeats, self.tally.owner, self.times)
        return repeats

    @cached_property
    def draws(self) -> Rows:
        return Rows(self.draw_key, self.nodes)

    @cached_property
    def splits(self) -> Rows:
        return Rows(self.graph.split_key.numpy(), self.nodes)

    @cached_property
    def folds(self) -> Rows:
        """The keys made by folding data into each key."""
        made = np.flatnonzero((self.graph.origin.numpy() == ORIGINS.index("fold_in")) & (self.parent >= 0))
        return Rows(self.parent[made], self.nodes, made)

    def state_of(self, key: int) -> KeyState:
        return KEY_STATES[int(self.state[key])]

    def origin_of(self, key: int) -> KeyOrigin:
        return ORIGINS[int(self.graph.origin.numpy()[key])]

    def number_of(self, key: int) -> int:
        """Return the seed, the child's index in its split, or the data folded in."""
        return int(self.graph.index.numpy()[key])

    def site_of(self, key: int) -> Site | None:
        """Return the site that made the key, None if it came from outside."""
        return self.graph.sites[site] if (site := int(self.site[key])) >= 0 else None

    def draw_sites_of(self, key: int) -> list[Site]:
        """Return the site of each draw from the key, in order."""
        return [self.graph.sites[site] for site in self.draw_site[self.draws.of(key)] if site >= 0]

    def split_sites_of(self, key: int) -> list[Site]:
        """Return the site of each split of the key, in order."""
        split_site = self.graph.split_site.numpy()
        return [self.graph.sites[site] for site in split_site[self.splits.of(key)] if site >= 0]

    def fold_sites_of(self, key: int) -> list[Site]:
        """Return the site of each fold of data into the key, in order."""
        return [site for made in self.folds.of(key).tolist() if (site := self.site_of(made)) is not None]

    def siblings_in_split(self, key: int) -> int:
        """Return the number of children of the split that made this key, 0 if unknown."""
        site = self.site_of(key)
        if site is None or site.operation != "split":
            return 0
        return int(np.prod(site.shape, dtype=np.int64)) if site.shape else 0

    def words_of(self, key: int) -> list[int]:
        """Return the words of the key data, without the padding of a narrower implementation."""
        words = [int(word) for word in self.data[key]]
        name = self.graph.implementations[self.graph.implementation.numpy()[key]]
        return words[-WORDS.get(name, len(words)) :]
