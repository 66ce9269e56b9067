"""A jitted function (`RewrittenJit`) that replaces the user's and also returns its keys, packed into one array."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
import numpy.typing as npt
from jax import lax

from explorer.text.text import Text
from explorer.worker.recording import fetching
from explorer.worker.recording.events import Event, TracedEvent

MOST_PACKED = 1 << 12
"""Largest packed array in words. Many small arrays are slow to make and fetch; large ones would be stored twice."""
_WORDS = {"uint32": 1, "int32": 1, "bool": 1, "int64": 2, "uint64": 2}
"""Words per number, by dtype name."""


class PackedPosition(NamedTuple):
    """The position of an array among the packed words."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    start: int
    end: int

    def read(self, words: npt.NDArray[np.uint32]) -> npt.NDArray[Any]:
        """Return the array of each call, from packed `words`, uint32[calls, words]."""
        own = np.ascontiguousarray(words[:, self.start : self.end])
        numbers = own.astype(bool) if self.dtype == bool else own.view(self.dtype)
        return numbers.reshape(len(words), *self.shape)


class RewrittenJit(msgspec.Struct):
    """A function that returns (outputs, arrays of its events). All fields except `call` are known after its trace."""

    call: Callable[..., tuple[list[Any], list[Any]]]
    events: tuple[Event, ...] | None = None
    packed: tuple[tuple[PackedPosition, ...], ...] | None = None
    """For each event, the positions of its arrays in the packed one; None if they are returned one by one."""
    notes: frozenset[Text] = frozenset()
    length: int = 0
    """Its duration, in the unit of ``Event.moment``."""
    keys: int = 0
    """Number of keys, used and made, that its arrays can hold."""
    draws: int = 0
    """Number of draws among them."""

    def caught(self, arrays: Sequence[Any]) -> list[TracedEvent]:
        """Return the events with the `arrays` returned by a call."""
        if self.packed is not None:
            return [
                TracedEvent(event, {each.name: _unpacked(arrays[0], each) for each in places})
                for event, places in zip(self.events or (), self.packed, strict=True)
            ]
        return [
            TracedEvent(event, dict(zip(event.fields, each, strict=True)))
            for event, each in zip(self.events or (), arrays, strict=True)
        ]

    def room_wanted(self, arrays: Sequence[Any]) -> int:
        """Return the room for keys that its loops would have needed, 0 if they had enough."""
        wanted = 0
        for event, iterations in self._iterations(arrays):
            _, per_iteration, capacity = event.shape
            most = int(iterations.max(initial=0))
            if most > capacity:
                wanted = max(wanted, per_iteration << (most - 1).bit_length())
        return wanted

    def draws_missed(self, arrays: Sequence[Any]) -> int:
        """Return the number of draws in iterations beyond the capacity."""
        return sum(
            event.shape[0] * int(np.maximum(iterations.astype(np.int64) - event.shape[2], 0).sum())
            for event, iterations in self._iterations(arrays)
        )

    def _iterations(self, arrays: Sequence[Any]) -> Iterator[tuple[Event, Any]]:
        if self.packed is not None:
            return
        for event, each in zip(self.events or (), arrays, strict=True):
            if event.operation == "iterations":
                yield event, fetching.fetched(each[0])


def places(caught: Sequence[TracedEvent]) -> tuple[tuple[PackedPosition, ...], ...] | None:
    """Return the packed positions of each event's arrays; None if they are better left unpacked."""
    if any(event.operation == "iterations" or not all(map(_may_be_packed, each.values())) for event, each in caught):
        return None
    end = 0
    found = []
    for _, arrays in caught:
        own = []
        for name, array in arrays.items():
            start, end = end, end + math.prod(array.shape) * _WORDS[array.dtype.name]
            own.append(PackedPosition(name, array.shape, np.dtype(array.dtype), start, end))
        found.append(tuple(own))
    return tuple(found) if 0 < end <= MOST_PACKED else None


def packed(caught: Sequence[TracedEvent]) -> Any:
    """Return all arrays of `caught` as one, uint32[words]."""
    return jnp.concatenate([_words(array) for _, arrays in caught for array in arrays.values()])


def _may_be_packed(array: Any) -> bool:
    """Return whether `array` has an integer or bool dtype, and a type without a sharding."""
    return array.dtype.name in _WORDS and jax.typeof(array).sharding.mesh.empty


def _words(array: Any) -> Any:
    if array.dtype == bool:
        return array.astype(np.uint32).reshape(-1)
    return lax.bitcast_convert_type(array, np.uint32).reshape(-1)


def _unpacked(words: Any, place: PackedPosition) -> Any:
    own = words[place.start : place.end]
    if place.dtype == bool:
        return own.astype(bool).reshape(place.shape)
    size = place.dtype.itemsize // own.dtype.itemsize
    return lax.bitcast_convert_type(own.reshape(*place.shape, *((size,) if size > 1 else ())), place.dtype)
