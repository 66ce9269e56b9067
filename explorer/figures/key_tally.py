"""The states of the keys of a run: the only place that computes and counts them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from explorer.messages import KEY_STATES, KeyGraph, KeyState
from explorer.messages.late_numpy import np

if TYPE_CHECKING:
    import numpy.typing as npt

    Int32 = npt.NDArray[np.int32]
    Booleans = npt.NDArray[np.bool_]

FAULTS: tuple[KeyState, ...] = ("shared", "reused")
"""The states that a key must not be in, the worse one last."""


class KeyTally:
    """The states of a graph's keys, as picture, caption, legend, sentences and measures show them.

    A user counts the keys of their own. Those that a library made of such a key for itself are folded into it: what
    they drew it has drawn, and what is shared or used twice among them makes it shared or reused.
    """

    def __init__(self, graph: KeyGraph) -> None:
        self._graph = graph
        inside = np.array([bool(site.inside) for site in graph.sites] + [False])
        self.internal: Booleans = inside[graph.site.numpy()]
        """bool[n]: whether a library made the key for itself."""
        self.folded: Booleans = self.internal & (graph.parent.numpy() >= 0)
        """bool[n]: whether the key is folded into another one."""

    @cached_property
    def owner(self) -> Int32:
        """int32[n]: the key that each key is folded into; itself for the others."""
        own = np.arange(self._graph.nodes, dtype=np.int32)
        return ends_of(np.where(self.folded, self._graph.parent.numpy(), own).astype(np.int32))

    @cached_property
    def state(self) -> npt.NDArray[np.uint8]:
        """uint8[n]: index into KEY_STATES; that of a key reports those that are folded into it too."""
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
        """int32[n]: how many examples a draw from the key, or from one folded into it, serves at most; 0 without."""
        serves = np.zeros(self._graph.nodes, np.int32)
        key, many = self._graph.draw_key.numpy(), self._graph.draw_serves.numpy()
        np.maximum.at(serves, key, many)
        np.maximum.at(serves, self.owner[key], many)
        return serves

    @cached_property
    def counts(self) -> dict[KeyState, int]:
        """How many keys of the user's own there are in each state that occurs."""
        return counted(self.state[~self.folded])

    @property
    def keys(self) -> int:
        """How many keys there are of the user's own."""
        return self._graph.nodes - self.inside

    @cached_property
    def inside(self) -> int:
        """How many keys libraries made of them for themselves."""
        return int(np.count_nonzero(self.folded))

    @cached_property
    def is_spent(self) -> Booleans:
        """bool[n]: whether the key, or one folded into it, was drawn from."""
        spent = np.zeros(self._graph.nodes, bool)
        spent[self.owner[self._graph.draw_key.numpy()]] = True
        return spent

    @property
    def spent(self) -> int:
        """How many of the user's own keys were drawn from."""
        return int(np.count_nonzero(self.is_spent))

    @property
    def are_reused_spent(self) -> bool:
        """Whether each key of the user's own that was used twice was drawn from; else one was split twice."""
        return not ((self.state == number_of("reused")) & ~self.folded & ~self.is_spent).any()

    @property
    def is_faulty(self) -> bool:
        """Whether a key is shared or used twice."""
        return bool(self.counts.keys() & set(FAULTS))

    def first(self, state: KeyState) -> int | None:
        """Return the first of the user's own keys in `state`."""
        found = np.flatnonzero((self.state == number_of(state)) & ~self.folded)
        return int(found[0]) if found.size else None

    @cached_property
    def _is_drawn(self) -> Booleans:
        drawn = np.zeros(self._graph.nodes, bool)
        drawn[self._graph.draw_key.numpy()] = True
        return drawn


def number_of(state: KeyState) -> int:
    """Return the number by which a KeyGraph writes `state`."""
    return KEY_STATES.index(state)


def counted(states: npt.NDArray[np.uint8]) -> dict[KeyState, int]:
    """Return how many of `states` there are of each, in the order of KEY_STATES."""
    counts = np.bincount(states, minlength=len(KEY_STATES)).tolist()
    return {state: count for state, count in zip(KEY_STATES, counts, strict=True) if count}


def ends_of(step: Int32) -> Int32:
    """Return int32[n]: where following `step` from each key comes to rest."""
    while not np.array_equal(further := step[step], step):
        step = further
    return step
