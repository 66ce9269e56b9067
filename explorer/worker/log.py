"""What a recorded program did with keys, as it was caught: events with their arrays, in the order of the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import numpy as np

from explorer.worker.reap import Event, Source

MAX_EVENTS = 4_000_000
"""Uses of keys that one recording keeps; the rest is counted."""
_WAITING_BYTES = 1 << 26
_WAITING_CALLS = 4096


class Entry(NamedTuple):
    """One event of one call: where the call came from, what is known of the event, and its arrays."""

    event: Event
    caller: Source
    start: int
    """Moment at which the call began."""
    arrays: dict[str, np.ndarray]


@dataclass
class Log:
    """The entries of one recording. Arrays stay where the program made them until there are many."""

    def __init__(self) -> None:
        self.notes: set[str] = set()
        self.left_out = 0
        """Draws that were counted and not kept."""
        self._entries: list[Entry] = []
        self._waiting: list[tuple[Sequence[Event], Source, int, Any]] = []
        self._waiting_bytes = 0
        self._moment = 0
        self._kept = 0

    def add(self, events: Sequence[Event], caller: Source, arrays: Sequence[Sequence[Any]], length: int) -> None:
        """Append what one call from `caller` did: `events` with their arrays, lasting `length` moments."""
        self._waiting.append((events, caller, self._moment, arrays))
        self._moment += length
        self._waiting_bytes += sum(array.nbytes for each in arrays for array in each)
        self._kept += sum(uses(event, each) for event, each in zip(events, arrays))
        if self._waiting_bytes > _WAITING_BYTES or len(self._waiting) > _WAITING_CALLS:
            self._fetch()

    @property
    def length(self) -> int:
        """How many moments it spans."""
        return self._moment

    def has_room(self, count: int) -> bool:
        """Return whether `count` more uses can be kept."""
        return self._kept + count <= MAX_EVENTS

    def leave_out(self, draws: int) -> None:
        """Count `draws` without keeping them."""
        self.left_out += draws

    def entries(self) -> list[Entry]:
        """Return all entries so far, in the order of the run."""
        self._fetch()
        return self._entries

    def _fetch(self) -> None:
        waiting, self._waiting, self._waiting_bytes = self._waiting, [], 0
        fetched = jax.device_get([arrays for *_, arrays in waiting])
        for (events, caller, start, _), arrays in zip(waiting, fetched):
            for event, each in zip(events, arrays):
                self._entries.append(Entry(event, caller, start, dict(zip(event.fields, each))))


def uses(event: Event, arrays: Sequence[Any]) -> int:
    """Return how many keys the arrays of `event` tell of, those made included."""
    named = dict(zip(event.fields, arrays))
    return sum(int(np.prod(named[name].shape[:-1])) for name in ("keys", "made") if name in named)
