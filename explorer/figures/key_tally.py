"""The states of a run's keys and the draws that they share: the single place that computes and counts them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from explorer.messages import KEY_STATES, KeyGraph, KeyState
from explorer.messages.lazy_numpy import np

if TYPE_CHECKING:
    import numpy.typing as npt

    Int32 = npt.NDArray[np.int32]
    Booleans = npt.NDArray[np.bool_]

FAULTS: tuple[KeyState, ...] = ("shared", "reused")
"""Faulty states, the worse one last."""


class KeyTally:
    """The states of a graph's keys, for pictures, captions, legends, sentences and measures.

    Users count their own keys. Keys that a library derived internally are folded into the user's key: their draws count
    as its draws, and sharing or reuse among them counts as its own.
    """

    def __init__(self, graph: KeyGraph) -> None:
        self._graph = graph
        inside = np.array([bool(site.inside) for site in graph.sites] + [False])
        self.internal: Booleans = inside[graph.site.numpy()]
        """bool[n]: whether a library derived the key internally."""
        self.folded: Booleans = self.internal & (graph.parent.numpy() >= 0)
        """bool[n]: whether the key is folded into another one."""

    @cached_property
    def owner(self) -> Int32:
        """int32[n]: the key that contains each key, possibly itself."""
        own = np.arange(self._graph.nodes, dtype=np.int32)
        return ends_of(np.where(self.folded, self._graph.parent.numpy(), own).astype(np.int32))

    @cached_property
    def state(self) -> npt.NDArray[np.uint8]:
        """uint8[n]: index into KEY_STATES, including the keys folded into each key."""
        own: npt.NDArray[np.uint8] = self._graph.state.numpy()
        if not self.folded.any():
            return own
        state = own.copy()
        drawn_inside = self.owner[np.flatnonzero(self.folded & self._is_drawn)]
        state[drawn_inside[own[drawn_inside] == number_of("fresh")]] = number_of("drawn")
        for fault in map(number_of, FAULTS):
            faulty = self.owner[np.flatnonzero(self.folded & (own == fault))]
            state[faulty[state[faulty] != number_of("reused")]] = fault
        return state

    @cached_property
    def serves(self) -> Int32:
        """int32[n]: largest number of examples served by one draw, including folded keys; 0 without a draw."""
        serves = np.zeros(self._graph.nodes, np.int32)
        key, many = self._graph.draw_key.numpy(), self._graph.draw_serves.numpy()
        np.maximum.at(serves, key, many)
        np.maximum.at(serves, self.owner[key], many)
        return serves

    @cached_property
    def counts(self) -> dict[KeyState, int]:
        """Number of the user's keys in each state that occurs."""
        return counted(self.state[~self.folded])

    @property
    def keys(self) -> int:
        """Number of the user's keys."""
        return self._graph.nodes - self.inside

    @cached_property
    def inside(self) -> int:
        """Number of keys that libraries derived internally."""
        return int(np.count_nonzero(self.folded))

    @cached_property
    def is_spent(self) -> Booleans:
        """bool[n]: whether the key, or one folded into it, was drawn from."""
        spent = np.zeros(self._graph.nodes, bool)
        spent[self.owner[self._graph.draw_key.numpy()]] = True
        return spent

    @property
    def spent(self) -> int:
        """Number of the user's keys that were drawn from."""
        return int(np.count_nonzero(self.is_spent))

    @property
    def reused_unspent(self) -> int:
        """Number of the user's reused keys that were not drawn from, only split."""
        return int(np.count_nonzero((self.state == number_of("reused")) & ~self.folded & ~self.is_spent))

    @property
    def is_faulty(self) -> bool:
        """Whether any key is shared or reused."""
        return bool(self.counts.keys() & set(FAULTS))

    def first(self, state: KeyState) -> int | None:
        """Return the first of the user's keys in `state`, or None."""
        found = np.flatnonzero((self.state == number_of(state)) & ~self.folded)
        return int(found[0]) if found.size else None

    @cached_property
    def _is_drawn(self) -> Booleans:
        drawn = np.zeros(self._graph.nodes, bool)
        drawn[self._graph.draw_key.numpy()] = True
        return drawn


def number_of(state: KeyState) -> int:
    """Return the index of `state` in a KeyGraph."""
    return KEY_STATES.index(state)


def counted(states: npt.NDArray[np.uint8]) -> dict[KeyState, int]:
    """Return the number of keys per state in `states`, uint8[n], in the order of KEY_STATES."""
    counts = np.bincount(states, minlength=len(KEY_STATES)).tolist()
    return {state: count for state, count in zip(KEY_STATES, counts, strict=True) if count}


def ends_of(step: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the fixed point of `step` reached from each key, int[n]."""
    while not np.array_equal(further := step[step], step):
        step = further
    return step


def served_at_once(graph: KeyGraph) -> npt.NDArray[np.int64]:
    """Return the number of examples behind each draw that have no draw of their own on record, int64[draws].

    If some examples of a batch have equal keys, each has its own draw, and each draw serves all of them. If the whole
    batch shares one key, a single draw stands for all examples.
    """
    serves, example = graph.draw_serves.numpy().astype(np.int64), graph.draw_example.numpy()
    among = np.flatnonzero((serves > 1) & (example >= 0))
    if len(among):
        place = graph.draw_key.numpy()[among].astype(np.int64) * len(graph.sites) + graph.draw_site.numpy()[among]
        pairs = np.unique(np.stack([place, example[among]]), axis=1)
        places, examples = np.unique(pairs[0], return_counts=True)
        serves[among] //= np.maximum(examples[np.searchsorted(places, place)], 1)
    return np.maximum(serves, 1)
