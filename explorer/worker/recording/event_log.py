"""The log of key operations: for each operation of the program, its iterations in the order of the run."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from explorer.text.text import Text, say
from explorer.worker.internals import dispatch
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.sources import NameStack, Traceback
from explorer.worker.recording import fetching
from explorer.worker.recording.events import CallStack, Event, Moment, TracedEvent, key_count
from explorer.worker.recording.rewritten_program import RewrittenJit

Array = npt.NDArray[Any]

MAX_KEYS = 8_000_000
"""Largest number of keys kept per recording, used and made, with repetitions. Draws beyond are only counted."""
KEY_GONE = say("A key was deleted before it could be read: its use is not shown.")
_WAITING_KEYS = 1 << 20
_WAITING_CALLS = 4096


class LogEntry(msgspec.Struct, frozen=True):
    """Some rounds (calls and loop iterations) of one event, with one caller.

    Array axes begin with (rounds, devices..., mapped axes...).
    """

    event: Event
    caller: CallStack
    arrays: dict[str, Array]
    """``moments`` int64[iterations], ``mask`` bool[iterations, devices..., mapped axes...], and the event's fields.

    ``choices`` int64[iterations] is the mapped ``cond`` of each iteration. ``mask`` and ``choices`` are optional.
    """


Caller = tuple[tuple[Traceback, ...], NameStack]
"""The arguments of a CallStack, which is built later."""


class _Call(NamedTuple):
    """The record of one call."""

    caught: Sequence[TracedEvent]
    caller: CallStack
    start: int
    choice: int | None


class _Repeated(NamedTuple):
    """One key operation outside of jit, or one call of a rewritten program: equal ones are fetched together."""

    made_by: Event | RewrittenJit
    caller: Caller
    start: int
    arrays: tuple[Any, ...]
    """In the order of the event's fields, or one: packed."""

    @property
    def events(self) -> tuple[Event, ...]:
        return (self.made_by,) if isinstance(self.made_by, Event) else self.made_by.events or ()

    def unpacked(self, columns: Sequence[Array]) -> Iterator[tuple[Event, dict[str, Array]]]:
        """Yield each event with its arrays in `columns`: those of several calls, stacked."""
        if isinstance(self.made_by, Event):
            yield self.made_by, dict(zip(self.made_by.fields, columns, strict=True))
        else:
            for event, fields in zip(self.events, self.made_by.packed or (), strict=True):
                yield event, {each.name: each.read(columns[0]) for each in fields}


_Place = tuple[Event, CallStack, bool]


class EventLog:
    """The entries of one recording. Arrays stay on their devices until there are many."""

    def __init__(self) -> None:
        self.notes: set[Text] = set()
        self.guard = Guard()
        """Guard of everything that records keys while the program runs."""
        self.left_out = 0
        """Number of draws that were counted but not kept."""
        self.length = 0
        """Number of moments so far."""
        self.added: Callable[[], None] | None = None
        """To call after an operation was added, where the log may wait for arrays."""
        self._entries: list[LogEntry] = []
        self._key_count = 0
        self._waiting: list[_Call | _Repeated] = []
        self._waiting_keys = 0

    def add(
        self, caught: Sequence[TracedEvent], caller: CallStack, *, keys: int, length: int = 1, choice: int | None = None
    ) -> None:
        """Append one call from `caller`: `caught` has room for `keys` keys and lasts `length` moments.

        `choice` is the number of the mapped ``cond`` around the call.
        """
        self._wait(_Call(caught, caller, self.length, choice), keys, length)

    def add_call(self, program: RewrittenJit, arrays: Sequence[Any], caller: Caller) -> None:
        """Append the `arrays` of one call of `program`."""
        if program.packed is None:
            self.add(program.caught(arrays), CallStack(*caller), keys=program.keys, length=program.length)
        else:
            self._wait(_Repeated(program, caller, self.length, (arrays[0],)), program.keys, program.length)

    def add_operation(self, event: Event, arrays: tuple[Any, ...], caller: Caller, *, keys: int) -> None:
        """Append an operation of one moment."""
        self._wait(_Repeated(event, caller, self.length, arrays), keys, 1)

    def _wait(self, call: _Call | _Repeated, keys: int, length: int) -> None:
        self._waiting.append(call)
        self._waiting_keys += keys
        self.length += length
        are_many = self._waiting_keys > _WAITING_KEYS or len(self._waiting) > _WAITING_CALLS
        if not (are_many or self.added is not None) or dispatch.is_called_back():
            # XLA waits for a callback, which must not wait for XLA.
            return
        if are_many:
            self._fetch()
        if self.added is not None:
            self.added()

    @property
    def room(self) -> int:
        """Number of keys that still fit."""
        return MAX_KEYS - self._key_count - self._waiting_keys

    def leave_out(self, draws: int) -> None:
        """Count `draws` without keeping them."""
        self.left_out += draws

    def keep(self) -> None:
        """Fetch all arrays now, because the program is about to donate some."""
        self._fetch()

    def entries(self) -> list[LogEntry]:
        """Return all entries so far. One operation may have several."""
        self._fetch()
        return self._entries

    def settle(self, patience_s: float) -> None:
        """Fetch arrays for at most `patience_s` seconds and drop the rest: a failed program may never deliver them."""
        self._fetch(time.monotonic() + patience_s)

    def _fetch(self, deadline: float | None = None) -> None:
        calls, self._waiting, self._waiting_keys = self._waiting, [], 0
        places: dict[_Place, list[dict[str, Array]]] = {}
        alike: dict[Any, list[_Repeated]] = {}
        for call in calls:
            if isinstance(call, _Call):
                self._fetch_one(call, places, deadline)
                continue
            key = id(call.made_by), call.caller, *[each.shape for each in call.arrays]
            if key not in alike:
                alike[key] = []
                # Keeps the operations in the order of the run.
                for event in call.events:
                    places.setdefault((event, CallStack(*call.caller), True), [])
            alike[key].append(call)
        for same in alike.values():
            self._fetch_alike(same, places, deadline)
        for (event, caller, _), parts in places.items():
            if parts:
                entry = LogEntry(event, caller, _in_order(joined(parts)) if alike else joined(parts))
                self._entries.append(entry)
                self._key_count += key_count(entry.arrays)

    def _fetch_one(self, call: _Call, places: dict[_Place, list[dict[str, Array]]], deadline: float | None) -> None:
        """Fetch the arrays of one call, one by one."""
        for event, arrays in call.caught:
            if event.operation == "iterations":
                continue
            try:
                known = {name: fetching.fetched(array, deadline) for name, array in arrays.items()}
            except fetching.DeletedArray:
                self.notes.add(KEY_GONE)
            except fetching.FailedArray:
                # the failed program reports that itself
                continue
            else:
                single = {name: array[None] for name, array in known.items()}
                place = event, call.caller, call.choice is None
                part = _in_iterations(event, single, np.array([call.start], np.int64), call.choice)
                places.setdefault(place, []).append(part)

    def _fetch_alike(
        self, calls: Sequence[_Repeated], places: dict[_Place, list[dict[str, Array]]], deadline: float | None
    ) -> None:
        """Fetch the arrays of equal calls from one place, and distribute them to their events."""
        rows, starts = [], []
        # A key that a loop splits repeatedly is one array; `calls` keeps it alive, so that its id stays valid.
        known: dict[int, Array] = {}
        for call in calls:
            try:
                for each in call.arrays:
                    if id(each) not in known:
                        known[id(each)] = fetching.fetched(each, deadline)
            except fetching.FailedArray as error:
                # A failed program reports that itself.
                if isinstance(error, fetching.DeletedArray):
                    self.notes.add(KEY_GONE)
            else:
                rows.append([known[id(each)] for each in call.arrays])
                starts.append(call.start)
        if rows:
            caller, when = CallStack(*calls[0].caller), np.array(starts, np.int64)
            for event, arrays in calls[0].unpacked([np.stack(each) for each in zip(*rows, strict=True)]):
                places[event, caller, True].append(_in_iterations(event, arrays, when, None))


def _in_order(arrays: dict[str, Array]) -> dict[str, Array]:
    """Return `arrays` with their rounds sorted by moment."""
    moments = arrays["moments"]
    if np.all(moments[1:] >= moments[:-1]):
        return arrays
    order = np.argsort(moments, kind="stable")
    return {name: array[order] for name, array in arrays.items()}


def joined(parts: Sequence[dict[str, Array]]) -> dict[str, Array]:
    """Return the concatenated arrays of several stretches of rounds."""
    return parts[0] if len(parts) == 1 else {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _in_iterations(event: Event, arrays: dict[str, Array], starts: Array, choice: int | None) -> dict[str, Array]:
    """Return the arrays of calls that began at `starts`, with calls and loop iterations merged into one axis."""
    moments = _moments(event, event.moment, starts)
    result = {name: _loops_in_front(event, array) for name, array in arrays.items() if name != "mask"}
    if event.choice is not None:
        # Our numbers are below -1, distinct from moments.
        own = None if choice is None else np.full(len(moments), -2 - choice)
        result["choices"] = _moments(event, event.choice, starts) if own is None else own
    result["moments"] = moments
    if "mask" not in arrays:
        return result
    mask = arrays["mask"]
    shape = arrays["keys"].shape[:-1] if "keys" in arrays else arrays["data"].shape
    mask = np.broadcast_to(mask.reshape(mask.shape + (1,) * (len(shape) - mask.ndim)), shape)
    result["mask"] = _loops_in_front(event, mask)
    # Most of a loop's capacity stays empty.
    happened = result["mask"].any(axis=tuple(range(1, result["mask"].ndim)))
    return {name: array.compress(happened, axis=0) for name, array in result.items()}


def _loops_in_front(event: Event, array: Array) -> Array:
    """Return `array` [calls, ...], with its loop axes merged into the first axis."""
    loops = [axis for axis, (kind, _) in enumerate(event.leading, 1) if kind == "loop"]
    if not loops:
        return array
    rest = [axis for axis in range(1, array.ndim) if axis not in loops]
    array = array.transpose([0, *loops, *rest])
    iterations = math.prod(array.shape[: 1 + len(loops)])
    return array.reshape(iterations, *array.shape[1 + len(loops) :])


def _moments(event: Event, moment: Moment, starts: Array) -> npt.NDArray[np.int64]:
    """Return the time of `moment` in each iteration of `event`, int64[iterations], for calls that began at `starts`."""
    moments = starts + moment.first
    for (kind, size), stride in zip(event.leading, moment.strides, strict=True):
        if kind == "loop":
            moments = (moments[:, None] + np.arange(size, dtype=np.int64) * stride).reshape(-1)
    return moments
