"""What a recorded program did with keys, as it was caught: events with their arrays, in the order of the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from explorer.worker.events import Caught, Event, Source

MAX_KEYS = 8_000_000
"""Keys, used and made, each time counted, that one recording keeps. Draws beyond are counted only."""
_BYTES_PER_KEY = 8
_WAITING_BYTES = 1 << 26
_WAITING_CALLS = 4096


class Entry(NamedTuple):
    """One event of one call: where the call came from, what is known of the event, and its arrays."""

    event: Event
    caller: Source
    start: int
    """Moment at which the call began."""
    arrays: dict[str, np.ndarray]
    choice: int | None
    """A number for the mapped ``cond`` that the call is in a branch of."""


class _Call(NamedTuple):
    caught: Sequence[Caught]
    caller: Source
    start: int
    choice: int | None


class Log:
    """The entries of one recording. Arrays stay where the program made them until there are many."""

    def __init__(self) -> None:
        self.notes: set[str] = set()
        self.left_out = 0
        """Draws that were counted and not kept."""
        self._entries: list[Entry] = []
        self._waiting: list[_Call] = []
        self._waiting_bytes = 0
        self._moment = 0
        self._kept = 0

    def add(
        self, caught: Sequence[Caught], caller: Source, *, keys: int, length: int = 1, choice: int | None = None
    ) -> None:
        """Append what one call from `caller` did: `caught` tells of `keys` keys and lasts `length` moments."""
        self._waiting.append(_Call(caught, caller, self._moment, choice))
        self._moment += length
        self._waiting_bytes += _BYTES_PER_KEY * keys
        self._kept += keys
        if self._waiting_bytes > _WAITING_BYTES or len(self._waiting) > _WAITING_CALLS:
            self._fetch()

    @property
    def length(self) -> int:
        """How many moments it spans."""
        return self._moment

    @property
    def room(self) -> int:
        """How many more keys can be kept."""
        return MAX_KEYS - self._kept

    def leave_out(self, draws: int) -> None:
        """Count `draws` without keeping them."""
        self.left_out += draws

    def entries(self) -> list[Entry]:
        """Return all entries so far, in the order of the run."""
        self._fetch()
        return self._entries

    def _fetch(self) -> None:
        calls, self._waiting, self._waiting_bytes = self._waiting, [], 0
        for call in calls:
            for event, arrays in call.caught:
                fetched = {name: np.asarray(array) for name, array in arrays.items()}
                self._entries.append(Entry(event, call.caller, call.start, fetched, call.choice))
