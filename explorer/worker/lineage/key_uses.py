"""The ledger of all key operations of a run, as arrays of key numbers in the order of first appearance."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence, Set
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from explorer.figures.equal_rows import Integers, Words
from explorer.messages import Span
from explorer.text.text import Text
from explorer.worker.internals.jaxprs import RAW_GENERATOR
from explorer.worker.lineage.call_roles import CallRole
from explorer.worker.lineage.call_sites import CallSite, CallSiteFinder, VmapLevel
from explorer.worker.lineage.key_numbers import OperationKeys, number
from explorer.worker.recording.event_log import EventLog, LogEntry, joined
from explorer.worker.recording.events import Event


class ParallelAxis(msgspec.Struct, frozen=True):
    """One parallel axis: the devices, or the examples of vmap number `level` (0 is the outermost)."""

    size: int
    level: int | None
    """None for devices."""
    tangents: bool = False
    """Whether it maps over tangent directions, where all of them rightly share one key."""


class KeyOperation(msgspec.Struct, dict=True):
    """All executions of one key operation of the program.

    Array axes are (rounds, lanes...). A round is one call or one loop iteration; rounds are sequential, lanes parallel.
    """

    event: Event
    call_site: CallSite
    lanes: tuple[ParallelAxis, ...]
    moments: Integers
    """int64[iterations]: the moment of each round."""
    choices: Integers | None
    """int64[iterations]: number of the vmapped ``cond`` whose branch the round belongs to, negative for none."""
    valid: npt.NDArray[np.bool_] | None
    """bool[iterations, lanes...]: the lanes that executed; None for all."""
    key_words: Words | None
    """uint32[iterations, lanes..., words]; None for seeds."""
    made_words: Words | None
    """uint32[iterations, lanes..., children, words]; None for draws."""
    labels: Integers | None
    """int[iterations, lanes..., children]: the seed, the index of the child or the data folded in."""
    keys: Integers | None = None
    """int32[iterations, lanes...]: number of the operand key, -1 where nothing was executed."""
    made: Integers | None = None
    """int32[iterations, lanes..., children]: numbers of the keys made."""

    @property
    def again(self) -> bool:
        """Whether the backward pass or rematerialisation repeats the operation."""
        return self.event.again or self.call_site.again

    @property
    def spent(self) -> Integers:
        """int32[n]: `keys` on one axis, without the lanes that did not execute."""
        if self.keys is None:
            return np.zeros(0, np.int32)
        return self.keys.reshape(-1) if self.valid is None else self.keys[self.keys >= 0]

    @functools.cached_property
    def all_different(self) -> bool:
        """Whether `keys` holds no key twice."""
        keys = self.spent
        if np.all(keys[1:] > keys[:-1]):
            return True
        keys = np.sort(keys)
        return not np.any(keys[1:] == keys[:-1])


class KeyLedger(msgspec.Struct, frozen=True):
    """All key operations of a run, by key number."""

    words: Words
    """uint32[keys, words]: the key data, left-padded with zeros."""
    implementation: npt.NDArray[np.uint8]
    """uint8[keys]: index into `implementations`."""
    implementations: tuple[str, ...]
    uses: list[KeyOperation]
    notes: tuple[Text, ...]
    left_out: int
    """Number of draws that happened but are not in `uses`."""
    call_roles: Mapping[CallRole, Set[Span]] = {}
    """What the code says of the calls in user code."""
    marked: frozenset[Span] = frozenset()
    """Comments in user code that mark the sharing or reuse on their line as intended."""
    marked_before: frozenset[Span] = frozenset()
    """Those met before the last of several logs, in a module that several runs share."""

    @property
    def size(self) -> int:
        """Number of distinct keys."""
        return len(self.words)


def ledger(logs: Sequence[EventLog], finder: CallSiteFinder, variant: tuple[int, int] | None = None) -> KeyLedger:
    """Return the ledger of `logs`, which follow one another in one run.

    `variant` is the first and last line of the function that the last log is of. If the top level calls it too, that
    call is left out: it is another run of the same.
    """
    uses: list[KeyOperation] = []
    start = 0
    before: frozenset[Span] = frozenset()
    for log in logs:
        before = frozenset(finder.marked)
        places: dict[Any, list[LogEntry]] = {}
        for entry in log.entries():
            places.setdefault((entry.event, entry.caller, "mask" in entry.arrays), []).append(entry)
        found = [_uses(entries, start, finder) for entries in places.values()]
        if variant is not None and log is not logs[-1]:
            found = [each for each in found if not _is_within(each.call_site.path[1:], variant)]
        uses += found
        start += log.length
    words, implementation, implementations = _number(uses)
    notes = sorted({note for log in logs for note in log.notes}, key=str)
    left_out = sum(log.left_out for log in logs)
    return KeyLedger(
        words,
        implementation,
        implementations,
        uses,
        tuple(notes),
        left_out,
        finder.call_roles,
        frozenset(finder.marked),
        before,
    )


def _is_within(path: Sequence[Span], lines: tuple[int, int]) -> bool:
    return any(not span.file and lines[0] <= span.line <= lines[1] for span in path)


def flat(values: npt.ArrayLike, shape: tuple[int, ...], here: npt.NDArray[np.bool_] | None) -> npt.NDArray[Any]:
    """Return `values`, broadcast to `shape`, flattened and restricted to the mask `here`; the result is read-only.

    A single value is broadcast with stride 0: allocating pages takes longer than filling them.
    """
    values = np.asarray(values)
    if values.size == 1:
        return np.broadcast_to(values.reshape(()), math.prod(shape) if here is None else int(np.count_nonzero(here)))
    spread = np.broadcast_to(values, shape)
    return spread.reshape(-1) if here is None else spread[here]


# -- one place --------------------------------------------------------------------------------


def _uses(entries: list[LogEntry], start: int, finder: CallSiteFinder) -> KeyOperation:
    """Return the entries of one operation together, in a log that starts at moment `start`."""
    event = entries[0].event
    arrays = joined([entry.arrays for entry in entries])
    call_site = finder.call_site(event.source.inside(entries[0].caller), event.operation)
    if event.implementation == RAW_GENERATOR and call_site.name == event.operation:
        call_site = replace(call_site, name=RAW_GENERATOR)
    lanes, order = _lanes(event, call_site.levels, arrays)

    def arranged(name: str) -> npt.NDArray[Any] | None:
        array = arrays.get(name)
        return None if array is None else array.transpose(*order, *range(len(order), array.ndim))

    keys, made, data = arranged("keys"), arranged("made"), arranged("data")
    labels: Integers | None = None
    if made is not None:
        front = made.shape[: len(order)]
        made = made.reshape(*front, math.prod(made.shape[len(order) : -1]), made.shape[-1])
        number = np.arange(made.shape[-2], dtype=np.int32) if data is None else data.astype(np.int64)[..., None]
        labels = np.broadcast_to(number, made.shape[:-1])
    choices = arrays.get("choices")
    if choices is not None:
        choices = np.where(choices < 0, choices, choices + start)
    mask = arranged("mask")
    if mask is not None and mask.all():
        mask = None
    return KeyOperation(event, call_site, lanes, arrays["moments"] + start, choices, mask, keys, made, labels)


def _lanes(
    event: Event, levels: Sequence[VmapLevel], arrays: dict[str, Any]
) -> tuple[tuple[ParallelAxis, ...], list[int]]:
    """Return the lanes (devices first, then vmaps from the outermost) and the axis order that this needs."""
    shape = arrays["keys"].shape[:-1] if "keys" in arrays else arrays["data"].shape
    devices = range(1, 1 + sum(kind == "device" for kind, _ in event.leading))
    first = 1 + len(devices)
    mapped = [(number, level) for number, level in enumerate(levels) if level.axis is not None]
    if sorted(level.axis or 0 for _, level in mapped) != list(range(len(shape) - first)):
        # Marks are missing, as after an unknown transformation: the axes still hold examples.
        mapped = [(place, VmapLevel(0, place)) for place in range(len(shape) - first)]
    order = [0, *devices, *(first + (level.axis or 0) for _, level in mapped)]
    lanes = [ParallelAxis(shape[axis], None) for axis in devices]
    lanes += [ParallelAxis(shape[first + (level.axis or 0)], number, level.tangents) for number, level in mapped]
    return tuple(lanes), order


# -- numbers ----------------------------------------------------------------------------------


def _number(uses: list[KeyOperation]) -> tuple[Words, npt.NDArray[np.uint8], tuple[str, ...]]:
    """Set the key numbers in `uses`; return the key data, implementation indices and implementation names.

    Numbers follow the order of first appearance; an operation's operand comes before its results.
    """
    implementations = tuple(dict.fromkeys(each.event.implementation for each in uses))
    found: list[Words] = []
    first = 0
    for name in implementations:
        same = [each for each in uses if each.event.implementation == name]
        words = _number_same(same, first)
        found.append(words)
        first += len(words)
    if len(found) == 1:
        return found[0], np.zeros(first, np.uint8), implementations
    width = max((words.shape[1] for words in found), default=2)
    padded = [np.pad(words, ((0, 0), (width - words.shape[1], 0))) for words in found]
    kinds = np.repeat(np.arange(len(found), dtype=np.uint8), [len(words) for words in found])
    return (np.concatenate(padded) if padded else np.zeros((0, width), np.uint32)), kinds, implementations


def _number_same(uses: list[KeyOperation], first: int) -> Words:
    """Number the keys of one implementation from `first` on; return their key data, uint32[n, words]."""
    used = [_part(each, each.key_words, made=False) for each in uses]
    made = [_part(each, each.made_words, made=True) for each in uses]
    words = number([part for both in zip(used, made, strict=True) for part in both if part is not None], first)
    for each, used_part, made_part in zip(uses, used, made, strict=True):
        each.keys = used_part.numbers if used_part else None
        each.made = made_part.numbers if made_part else None
        # No longer needed, and large.
        each.key_words = each.made_words = None
    return words


def _part(uses: KeyOperation, words: Words | None, *, made: bool) -> OperationKeys | None:
    if words is None:
        return None
    # The results of an operation come after its operands.
    return OperationKeys(words, uses.moments * 2 + made, _chosen(uses, words.ndim - 1))


def _chosen(uses: KeyOperation, rank: int) -> npt.NDArray[np.bool_] | None:
    if uses.valid is None or rank == uses.valid.ndim:
        return uses.valid
    assert uses.labels is not None
    return np.broadcast_to(uses.valid[..., None], uses.labels.shape)
