"""What a recorded program did with keys: for each place of the program, its rounds in the order of the run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from explorer.worker.recording import fetching
from explorer.worker.recording.events import CallStack, Caught, Event, Moment, key_count
from explorer.worker.spoken.say import later

Array = npt.NDArray[Any]

MAX_KEYS = 8_000_000
"""Keys, used and made, each time counted, that one recording keeps. Draws beyond are counted only."""
KEY_GONE = later("A key was deleted before it could be looked at: what was done with it is not shown.")
_WAITING_KEYS = 1 << 20
_WAITING_CALLS = 4096


@dataclass(frozen=True)
class Entry:
    """Some rounds, that is calls and turns of loops, of one event at one place of the program.

    Arrays begin with the axes (rounds, devices..., mapped axes...).
    """

    event: Event
    caller: CallStack
    arrays: dict[str, Array]
    """``moments`` int64[rounds]; maybe ``choices`` int64[rounds], which mapped ``cond`` each is in a branch of;
    maybe ``mask`` bool[rounds, devices..., mapped axes...], where it happened; and the fields of the event."""


class _Call(NamedTuple):
    caught: Sequence[Caught]
    caller: CallStack
    start: int
    choice: int | None


class Log:
    """The entries of one recording. Arrays stay where the program made them until there are many."""

    def __init__(self) -> None:
        self.notes: set[str] = set()
        self.left_out = 0
        """Draws that were counted and not kept."""
        self.length = 0
        """How many moments it spans."""
        self._entries: list[Entry] = []
        self._kept = 0
        self._waiting: list[_Call] = []
        self._waiting_keys = 0

    def add(
        self,
        caught: Sequence[Caught],
        caller: CallStack,
        *,
        keys: int,
        length: int = 1,
        choice: int | None = None,
        may_wait: bool = True,
    ) -> None:
        """Append what one call from `caller` did: `caught` has room for `keys` keys and lasts `length` moments.

        `choice` is a number for the mapped ``cond`` that the call is in a branch of. Where the log `may_wait` for
        what the program has not computed yet, it makes room for more.
        """
        self._waiting.append(_Call(caught, caller, self.length, choice))
        self._waiting_keys += keys
        self.length += length
        if may_wait and (self._waiting_keys > _WAITING_KEYS or len(self._waiting) > _WAITING_CALLS):
            self._fetch()

    @property
    def room(self) -> int:
        """How many more keys can be kept."""
        return MAX_KEYS - self._kept - self._waiting_keys

    def leave_out(self, draws: int) -> None:
        """Count `draws` without keeping them."""
        self.left_out += draws

    def keep(self) -> None:
        """Fetch what there is, because the program is about to give arrays away."""
        self._fetch()

    def entries(self) -> list[Entry]:
        """Return all entries so far. The same place may have several."""
        self._fetch()
        return self._entries

    def settle(self, patience_s: float) -> None:
        """Fetch what comes within that time and forget the rest: the program has failed, and it may never come."""
        self._fetch(time.monotonic() + patience_s)

    def _fetch(self, deadline: float | None = None) -> None:
        calls, self._waiting, self._waiting_keys = self._waiting, [], 0
        places: dict[tuple[Event, CallStack, bool], list[dict[str, Array]]] = {}
        for call in calls:
            for event, arrays in call.caught:
                if event.operation != "rounds":
                    place = event, call.caller, call.choice is None
                    try:
                        known = fetching.all_fetched(arrays.items(), deadline)
                    except fetching.Gone:
                        self.notes.add(KEY_GONE)
                    except fetching.Lost:
                        # What failed says so itself.
                        continue
                    else:
                        places.setdefault(place, []).append(_in_rounds(event, known, call.start, call.choice))
        for (event, caller, _), parts in places.items():
            entry = Entry(event, caller, joined(parts))
            self._entries.append(entry)
            self._kept += key_count(entry.arrays)


def joined(parts: Sequence[dict[str, Array]]) -> dict[str, Array]:
    """Return the arrays of several stretches of rounds as one."""
    return parts[0] if len(parts) == 1 else {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _in_rounds(event: Event, arrays: dict[str, Array], start: int, choice: int | None) -> dict[str, Array]:
    """Return the arrays of one call that began at `start`, with all its loops on one axis."""
    moments = _moments(event, event.moment, start)
    result = {name: _loops_in_front(event, array) for name, array in arrays.items() if name != "mask"}
    if event.choice is not None:
        # Numbers of ours are below -1, so that they cannot be taken for moments.
        own = None if choice is None else np.full(len(moments), -2 - choice)
        result["choices"] = _moments(event, event.choice, start) if own is None else own
    result["moments"] = moments
    if "mask" not in arrays:
        return result
    mask = arrays["mask"]
    shape = arrays["keys"].shape[:-1] if "keys" in arrays else arrays["data"].shape
    mask = np.broadcast_to(mask.reshape(mask.shape + (1,) * (len(shape) - mask.ndim)), shape)
    result["mask"] = _loops_in_front(event, mask)
    # Most of the room that loops are given stays empty.
    happened = result["mask"].any(axis=tuple(range(1, result["mask"].ndim)))
    return {name: array.compress(happened, axis=0) for name, array in result.items()}


def _loops_in_front(event: Event, array: Array) -> Array:
    """Return `array` with its loop axes in front, as one."""
    if not event.leading:
        return array[None]
    loops = [axis for axis, (kind, _) in enumerate(event.leading) if kind == "loop"]
    rest = [axis for axis in range(array.ndim) if axis not in loops]
    array = array.transpose(loops + rest)
    return array.reshape(-1 if array.size else 0, *array.shape[len(loops) :]) if loops else array[None]


def _moments(event: Event, moment: Moment, start: int) -> npt.NDArray[np.int64]:
    """Return when each round of `event` has its `moment`, in a call that began at `start`: int64[rounds]."""
    moments = np.array([start + moment.first], np.int64)
    for (kind, size), stride in zip(event.leading, moment.strides, strict=True):
        if kind == "loop":
            moments = (moments[:, None] + np.arange(size, dtype=np.int64) * stride).reshape(-1)
    return moments
