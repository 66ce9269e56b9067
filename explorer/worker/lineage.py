"""What became of every key of a run: who made it, what consumed it, whom its draws served."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.messages import ORIGINS, Site
from explorer.worker.equal_words import Integers
from explorer.worker.ledger import Ledger, Uses
from explorer.worker.numbering import as_slice
from explorer.worker.sharing import NO_DRAWS, Draws, draws, once_a_round

Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Family:
    """Who made each key. Where several places did, the person's own code goes first, then the earliest."""

    parent: Integers
    """int32[keys]: -1 for a root; parents come before their children."""
    origin: Integers
    """uint8[keys]: index into ORIGINS."""
    label: Integers
    """int64[keys]: seed, number of the child, or data folded in."""
    use: Integers
    """int32[keys]: the use that made it, as an index into the ledger's; -1 where none did."""
    others: Integers
    """int32[m, 2]: further (child, parent) pairs."""
    times: Integers
    """int64[keys]: how often it was made."""


@dataclass(frozen=True)
class Consumed:
    """Every draw with a key and every split of one, in the order of the run."""

    keys: Integers
    use: Integers
    """Index into the ledger's uses."""


@dataclass(frozen=True)
class Lineage:
    """The ledger of a run with what follows from it. Second computations for a derivative do not count."""

    book: Ledger
    family: Family
    consumed: Consumed
    draws: list[Draws]
    """The draws of each use; empty ones for uses that draw nothing."""
    sites: tuple[Site, ...]
    site_of: Integers
    """int32[uses + 1]: index into `sites`, -1 for uses that have none; the last entry is for "no use"."""
    times: Integers
    """int64[keys]: how often it was consumed."""
    allowed: Integers
    """int64[keys]: how often it may be: once, and once more for each clone."""
    is_operand: Booleans
    """bool[keys]: something was done with it."""
    is_internal: Booleans
    """bool[keys]: made by a function of JAX or a library for its own purposes."""
    in_outputs: Booleans
    """bool[keys]: among what the program returned."""


def lineage(book: Ledger, in_outputs: Booleans) -> Lineage:
    """Return the lineage of the keys in `book`."""
    family = _family(book)
    repeated = _repetitions(book)
    clones = [once_a_round(uses)[0] for uses in book.uses if uses.event.operation == "clone"]
    allowed = 1 + np.bincount(np.concatenate([np.zeros(0, np.int32), *clones]), minlength=book.size)
    consumed, times = _consumed(book, repeated, allowed)
    is_operand = np.zeros(book.size, np.bool_)
    for uses in book.uses:
        is_operand[as_slice(uses.spent)] = True
    is_internal = np.array([*(bool(uses.origin.inside) for uses in book.uses), False]).take(family.use)
    sites, site_of = _sites(book, is_internal)
    return Lineage(
        book=book,
        family=family,
        consumed=consumed,
        draws=[_draws(uses, known) for uses, known in zip(book.uses, repeated, strict=True)],
        sites=sites,
        site_of=site_of,
        times=times,
        allowed=allowed,
        is_operand=is_operand,
        is_internal=is_internal,
        in_outputs=in_outputs,
    )


# -- who made a key ---------------------------------------------------------------------------


def _family(book: Ledger) -> Family:
    size = book.size
    makers = [(number, uses) for number, uses in enumerate(book.uses) if uses.made is not None]
    child, parent, label, use = _columns(makers)
    places = as_slice(child)
    times = _times(places, size)
    made_again = times.max(initial=0) > 1
    if made_again:
        inside = np.array([bool(uses.origin.inside) for uses in book.uses])[use]
        # Where a key stands several times the last row stays.
        order = np.lexsort((_moments(makers), inside))[::-1]
        child, parent, label, use = child[order], parent[order], label[order], use[order]
        places = child
    origins = np.array([_origin(uses) for uses in book.uses] + [0], np.uint8)
    parents = _scattered(size, places, parent, -1, np.int32)
    origin = _scattered(size, places, origins.take(use), 0, np.uint8)
    labels = _scattered(size, places, label, 0, np.int64)
    maker = _scattered(size, places, use, -1, np.int32)
    # A key that appears before its parent was at hand already, whatever made it; a generator may also go in circles.
    early = np.flatnonzero(parents >= np.arange(size, dtype=np.int32))
    parents[early], origin[early], labels[early], maker[early] = -1, 0, 0, -1
    others = np.zeros((0, 2), np.int32)
    if len(early) or made_again:
        is_other = (parent >= 0) & (parent != parents[child]) & (parent != child)
        others = np.unique(np.stack([child[is_other], parent[is_other]], 1), axis=0).astype(np.int32)
    return Family(parents, origin, labels, maker, others, times)


def _origin(uses: Uses) -> int:
    return ORIGINS.index(uses.event.operation) if uses.made is not None else 0


def _columns(makers: list[tuple[int, Uses]]) -> tuple[Integers, Integers, Integers, Integers]:
    """Return (child, parent, label, use) of every key that was made."""
    columns: list[list[Integers]] = [[np.zeros(0, np.int32)] for _ in range(4)]
    for number, uses in makers:
        parent = uses.keys[..., None] if uses.keys is not None else np.int32(-1)
        for column, values in zip(columns, (uses.made, parent, uses.labels, np.int32(number)), strict=True):
            column.append(_of_each_made(uses, values))
    child, parent, label, use = (np.concatenate(column) for column in columns)
    return child, parent, label, use


def _moments(makers: list[tuple[int, Uses]]) -> Integers:
    """Return when each key was made."""
    return np.concatenate([_of_each_made(uses, _in_front(uses.moments, uses.made)) for _, uses in makers])


def _of_each_made(uses: Uses, values: Any) -> Integers:
    """Return `values`, broadcast to ``uses.made``, on one axis and without those where nothing happened."""
    assert uses.made is not None
    spread = np.broadcast_to(values, uses.made.shape)
    return spread.reshape(-1) if uses.valid is None else spread[uses.made >= 0]


def _in_front(moments: Integers, array: Integers | None) -> Integers:
    return moments.reshape(-1, *(1,) * (array.ndim - 1 if array is not None else 0))


def _times(keys: Integers | slice, size: int) -> Integers:
    """Return int64[size]: how often each key stands in `keys`."""
    if not isinstance(keys, slice):
        return np.bincount(keys, minlength=size)
    times = np.zeros(size, np.int64)
    times[keys] = 1
    return times


def _scattered(size: int, places: Integers | slice, values: Integers, fill: int, dtype: type) -> Integers:
    result: Integers = np.full(size, fill, dtype)
    result[places] = values
    return result


# -- what consumed it -------------------------------------------------------------------------


def _repetitions(book: Ledger) -> list[Booleans | None]:
    """Return for each use the keys for which it repeats an earlier one, as bool[keys]; None for no key.

    A derivative computes again what it needs of the forward pass. Where the forward pass itself was not run, or
    its unused draws were dropped, the second computation is all that there is to see.
    """
    if not any(uses.again for uses in book.uses):
        return [None] * len(book.uses)
    forward = np.zeros(book.size, np.bool_)
    for uses in book.uses:
        if not uses.again and uses.event.operation in ("draw", "split") and uses.keys is not None:
            forward[uses.spent] = True
    seen: dict[object, Booleans] = {}
    repeated: list[Booleans | None] = []
    for uses in book.uses:
        if not uses.again or uses.keys is None:
            repeated.append(None)
            continue
        place = uses.event.operation, uses.origin.name, uses.origin.span
        known = seen.get(place, forward)
        repeated.append(known)
        seen[place] = known.copy()
        seen[place][uses.spent] = True
    return repeated


def _consumed(book: Ledger, repeated: list[Booleans | None], allowed: Integers) -> tuple[Consumed, Integers]:
    """Return what was consumed, and how often each key was: int64[keys]."""
    rows = [_consumptions(uses, known) for uses, known in zip(book.uses, repeated, strict=True)]
    keys = np.concatenate([_NO_KEYS, *(keys for keys, _ in rows)])
    use = np.repeat(np.arange(len(rows), dtype=np.int32), [len(keys) for keys, _ in rows])
    order = in_order([uses.moments[rounds] for uses, (_, rounds) in zip(book.uses, rows, strict=True)])
    keys, use = keys[order], use[order]
    times = _times(as_slice(keys), book.size)
    often = np.flatnonzero((times > allowed)[keys]) if np.any(times > allowed) else _NO_KEYS
    if not len(often):
        return Consumed(keys, use), times
    choices = np.concatenate([_choices(uses, rounds) for uses, (_, rounds) in zip(book.uses, rows, strict=True)])
    counted = np.ones(len(keys), np.bool_)
    counted[often] = _counted(book, keys[often], use[often], choices[order][often])
    keys = keys[counted]
    return Consumed(keys, use[counted]), np.bincount(keys, minlength=book.size)


_NO_KEYS = np.zeros(0, np.int32)


def _consumptions(uses: Uses, known: Booleans | None) -> tuple[Integers, Integers]:
    """Return columns (key, round) of the draws or splits of one use, without the `known` ones."""
    if uses.event.operation not in ("draw", "split") or 0 in uses.event.shape:
        return _NO_KEYS, _NO_KEYS
    keys, rounds = once_a_round(uses)
    if known is not None:
        keys, rounds = keys[~known[keys]], rounds[~known[keys]]
    return keys, rounds


def _choices(uses: Uses, rounds: Integers) -> Integers:
    """Return a number for the mapped ``cond`` that each round is in a branch of, -1 for none."""
    return np.full(len(rounds), -1) if uses.choices is None else uses.choices[rounds]


def _counted(book: Ledger, keys: Integers, use: Integers, choices: Integers) -> Booleans:
    """Return which of these rows, in the order of the run, are consumptions of their own.

    A sampler may use the key it was given for two algorithms and select from their results. And of the branches of
    a mapped ``cond`` each example takes one: that others take another with the same key is sharing, not reuse.
    """
    origins = [uses.origin for uses in book.uses]
    positions, places = np.array([[origin.position, origin.place] for origin in origins]).T
    counted = np.ones(len(keys), np.bool_)
    if len({(origin.position, origin.place) for origin in origins}) > len(set(positions.tolist())):
        counted = _one_of_several(np.stack([keys, positions[use]]), places[use])
    rows = np.flatnonzero(counted & (choices != -1))
    if len(rows):
        branches = np.array([uses.event.branch for uses in book.uses])[use]
        counted[rows] = _one_of_several(np.stack([keys, choices])[:, rows], branches[rows])
    return counted


def _one_of_several(group: Integers, part: Integers) -> Booleans:
    """Return which rows to keep so that each group has one n-th row, where each of its parts has an n-th row.

    `group` is int[columns, rows] and `part` int[rows].
    """
    rows = np.arange(len(part))
    order = np.lexsort((rows, part, *group))
    columns = np.stack([*group, part])[:, order]
    starts = np.flatnonzero(np.append(True, (columns[:, 1:] != columns[:, :-1]).any(0)))[: len(rows)]
    turn = np.empty(len(rows), np.int64)
    turn[order] = rows - np.repeat(starts, np.diff(np.append(starts, len(rows))))
    _, firsts = np.unique(np.stack([*group, turn]), axis=1, return_index=True)
    kept = np.zeros(len(rows), np.bool_)
    kept[firsts] = True
    return kept


def _draws(uses: Uses, known: Booleans | None) -> Draws:
    if uses.event.operation != "draw":
        return NO_DRAWS
    made = draws(uses)
    if known is None:
        return made
    new = ~known[made.keys]
    columns = (made.keys[new], made.example[new], made.serves[new], made.moments[new])
    return Draws(*columns, made.shared if new.any() else ())


def in_order(moments: Sequence[Integers]) -> Integers | slice:
    """Return what puts rows in the order of the run, given their `moments` part by part."""
    parts = [part for part in moments if len(part)]
    if all(one[-1] <= other[0] for one, other in pairwise(parts)):
        return slice(None)
    return np.argsort(np.concatenate(parts), kind="stable")


def _sites(book: Ledger, is_internal: Booleans) -> tuple[tuple[Site, ...], Integers]:
    """Return the different places of the program, and which one each use belongs to."""
    numbers: dict[Site, int] = {}
    site_of = []
    for uses in book.uses:
        event, origin = uses.event, uses.origin
        if event.operation == "clone" or event.operation == "rounds":
            site_of.append(-1)
            continue
        inside = origin.inside
        if event.operation == "draw":
            keys = uses.spent
            # A sampler may draw with the key that it was given, or with keys that it makes of it.
            inside = origin.name if len(keys) and is_internal[keys[0]] and is_internal[keys].all() else ""
        name = event.operation if origin.inside else origin.name
        site = Site(event.operation, name, origin.span, event.shape, event.dtype, inside)
        site_of.append(numbers.setdefault(site, len(numbers)))
    return tuple(numbers), np.array([*site_of, -1], np.int32)
