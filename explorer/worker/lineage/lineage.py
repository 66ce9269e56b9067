"""The lineage of every key of a run: its maker, its consumers, and the examples served by its draws."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import fields

from explorer.figures.equal_rows import Integers
from explorer.messages import ORIGINS, Site
from explorer.worker.lineage.key_numbers import as_slice
from explorer.worker.lineage.key_uses import KeyLedger, KeyOperation, flat
from explorer.worker.lineage.sharing import NO_DRAWS, OperationDraws, draws, once_an_iteration

Booleans = npt.NDArray[np.bool_]


class KeyMakers(msgspec.Struct, frozen=True):
    """The maker of each key. Of several, user code takes precedence, then the earliest."""

    parent: Integers
    """int32[keys]: -1 for a root; parents come before their children."""
    origin: Integers
    """uint8[keys]: index into ORIGINS."""
    label: Integers
    """int64[keys]: seed, number of the child, or data folded in."""
    use: Integers
    """int[keys]: index into the ledger's uses of the maker, -1 for none."""
    others: Integers
    """int32[m, 2]: further (child, parent) pairs."""
    times: Integers
    """int32[keys]: number of times it was made."""


class OrderedUses(msgspec.Struct, frozen=True):
    """Every split of a key, and every draw from one that is consumed too often or folded into, in the order of the run.

    Most keys are drawn from once, and nothing asks when.
    """

    keys: Integers
    use: Integers
    """Index into the ledger's uses."""
    moments: Integers
    """int64: the moment."""


class Lineage(msgspec.Struct, frozen=True):
    """The ledger of a run and the facts derived from it. Recomputation for a derivative does not count."""

    book: KeyLedger
    family: KeyMakers
    consumed: OrderedUses
    draws: list[OperationDraws]
    """The draws of each use; empty for other operations."""
    sites: tuple[Site, ...]
    site_of: Integers
    """int32[uses + 1]: index into `sites`, -1 for none; the last entry stands for "no use"."""
    times: Integers
    """int32[keys]: number of times it was consumed."""
    allowed: Integers
    """int32[keys]: number of times it may be consumed: once, and once more for each clone."""
    is_operand: Booleans
    """bool[keys]: operand of any operation."""
    is_internal: Booleans
    """bool[keys]: made internally by JAX or a library."""
    in_outputs: Booleans
    """bool[keys]: part of the program's return value."""


def lineage(book: KeyLedger, in_outputs: Booleans) -> Lineage:
    """Return the lineage of the keys in `book`; `in_outputs` is bool[keys]."""
    family = _family(book)
    repeated = _repetitions(book)
    clones = [_flat(*once_an_iteration(uses)) for uses in book.uses if uses.event.operation == "clone"]
    allowed = np.broadcast_to(np.int32(1), book.size) if not clones else _times(clones, book.size) + np.int32(1)
    consumed, times = _consumed(book, repeated, allowed)
    is_operand = np.zeros(book.size, np.bool_)
    for uses in book.uses:
        is_operand[as_slice(uses.spent)] = True
    is_internal = np.array([*(bool(uses.call_site.inside) for uses in book.uses), False]).take(family.use)
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


# -- the maker of a key ------------------------------------------------------------------------


def _family(book: KeyLedger) -> KeyMakers:
    size = book.size
    makers = [_made(number, uses) for number, uses in enumerate(book.uses) if uses.made is not None]
    times = _times([made.child for made in makers], size)
    made_again = times.max(initial=0) > 1
    if made_again:
        makers = [_by_rank(book, makers)]
    parent, label = np.full(size, -1, np.int32), np.zeros(size, np.int64)
    origin, use = np.zeros(size, np.uint8), np.full(size, -1, _small(book))
    for made in makers:
        at = as_slice(made.child)
        parent[at], label[at], use[at], origin[at] = made.parent, made.label, made.use, made.origin
    # A key that appears before its parent already existed; a generator may also go in circles.
    early = np.flatnonzero(parent >= np.arange(size, dtype=np.int32))
    parent[early], origin[early], label[early], use[early] = -1, 0, 0, -1
    others = np.zeros((0, 2), np.int32)
    if len(early) or made_again:
        others = np.unique(np.concatenate([others, *(_other_parents(made, parent) for made in makers)]), axis=0)
    return KeyMakers(parent, origin, label, use, others, times)


class _Made(msgspec.Struct, frozen=True):
    """Columns of made keys, one row per making."""

    child: Integers
    parent: Integers
    label: Integers
    use: Integers
    origin: Integers


def _made(number: int, uses: KeyOperation) -> _Made:
    """Return the keys made by `uses`, which has the index `number`."""
    assert uses.made is not None
    assert uses.labels is not None
    parent = uses.keys[..., None] if uses.keys is not None else np.int32(-1)
    here = None if uses.valid is None else uses.made >= 0
    origin = np.uint8(ORIGINS.index(uses.event.operation))
    columns = (uses.made, parent, uses.labels, np.int32(number), origin)
    return _Made(*(flat(column, uses.made.shape, here) for column in columns))


def _by_rank(book: KeyLedger, makers: list[_Made]) -> _Made:
    """Return all rows, sorted so that the last row of each key is its maker: user code first, then the earliest."""
    names = [each.name for each in fields(_Made)]
    columns = {name: np.concatenate([getattr(made, name) for made in makers]) for name in names}
    inside = np.array([bool(uses.call_site.inside) for uses in book.uses]).take(columns["use"])
    moments = [_moments_made(uses) for uses in book.uses if uses.made is not None]
    order = np.lexsort((np.concatenate(moments), inside))[::-1]
    return _Made(**{name: column[order] for name, column in columns.items()})


def _moments_made(uses: KeyOperation) -> Integers:
    assert uses.made is not None
    moments = uses.moments.reshape(-1, *(1,) * (uses.made.ndim - 1))
    return flat(moments, uses.made.shape, None if uses.valid is None else uses.made >= 0)


def _other_parents(made: _Made, parent: Integers) -> Integers:
    """Return the (child, parent) pairs missing from `parent`, int32[m, 2]."""
    is_other = (made.parent >= 0) & (made.parent != parent[made.child]) & (made.parent != made.child)
    return np.stack([made.child[is_other], made.parent[is_other]], 1)


def _times(parts: Sequence[Integers], size: int) -> Integers:
    """Return the number of occurrences of each key in `parts`, int32[size]."""
    return np.bincount(np.concatenate([*parts, np.zeros(0, np.int32)]), minlength=size).astype(np.int32)


def _small(book: KeyLedger) -> np.dtype[Any]:
    """Return the smallest dtype for the index of a use, or -1."""
    return np.min_scalar_type(-1 - len(book.uses))


# -- the consumers of a key --------------------------------------------------------------------


def _repetitions(book: KeyLedger) -> list[Booleans | None]:
    """Return for each use the keys for which it repeats an earlier use, as bool[keys]; None for no key.

    The backward pass recomputes parts of the forward pass. If the forward pass was not run, or its dead draws were
    dropped, the recomputation is the only draw on record.
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
        place = uses.event.operation, uses.call_site.name, uses.call_site.span
        known = seen.get(place, forward)
        repeated.append(known)
        seen[place] = known.copy()
        seen[place][uses.spent] = True
    return repeated


def _consumed(book: KeyLedger, repeated: list[Booleans | None], allowed: Integers) -> tuple[OrderedUses, Integers]:
    """Return the consumptions, and the number of them for each key, int32[keys]."""
    tables = [_consumptions(uses, known) for uses, known in zip(book.uses, repeated, strict=True)]
    times = _times([_flat(*table) for table in tables], book.size)
    too_often = times > allowed
    wanted = too_often.copy()
    for uses in book.uses:
        if uses.event.operation == "fold_in":
            wanted[uses.spent] = True
    rows = [_rows(uses, *table, wanted) for uses, table in zip(book.uses, tables, strict=True)]
    keys = np.concatenate([_NO_KEYS, *(keys for keys, _ in rows)])
    use = np.repeat(np.arange(len(rows), dtype=_small(book)), [len(keys) for keys, _ in rows])
    moments = [_of_iterations(uses.moments, iterations) for uses, (_, iterations) in zip(book.uses, rows, strict=True)]
    order = in_order(moments)
    keys, use, moment = keys[order], use[order], np.concatenate([_NO_KEYS, *moments])[order]
    often = np.flatnonzero(too_often[keys])
    if not len(often):
        return OrderedUses(keys, use, moment), times
    choices = [_choices(uses, iterations) for uses, (_, iterations) in zip(book.uses, rows, strict=True)]
    counted = np.ones(len(keys), np.bool_)
    counted[often] = _counted(book, keys[often], use[often], np.concatenate(choices)[order][often])
    if not counted.all():
        times = times - _times([keys[~counted]], book.size)
    return OrderedUses(keys[counted], use[counted], moment[counted]), times


_NO_KEYS = np.zeros(0, np.int32)


def _consumptions(uses: KeyOperation, known: Booleans | None) -> tuple[Integers, Booleans | None]:
    """Return the keys of the draws or splits of one use as `once_an_iteration` does, without those in `known`."""
    if uses.event.operation not in ("draw", "split") or 0 in uses.event.shape:
        return _NO_KEYS.reshape(0, 1), None
    keys, here = once_an_iteration(uses)
    return keys, here if known is None else ~known[keys] & (True if here is None else here)


def _flat(keys: Integers, here: Booleans | None) -> Integers:
    return flat(keys, keys.shape, here)


def _rows(uses: KeyOperation, keys: Integers, here: Booleans | None, wanted: Booleans) -> tuple[Integers, Integers]:
    """Return columns (key, round) of a use: all rows of a split, and those of a draw whose key is `wanted`."""
    if uses.event.operation != "split":
        chosen = wanted[keys]
        here = chosen if here is None else chosen & here
    if here is None:
        return keys.reshape(-1), np.repeat(np.arange(len(keys)), keys.shape[1])
    return keys[here], np.nonzero(here)[0]


def _choices(uses: KeyOperation, iterations: Integers) -> Integers:
    """Return the number of the vmapped ``cond`` around each round, -1 for none."""
    # A small dtype: most programs have many draws and no such choice.
    return np.full(len(iterations), -1, np.int8) if uses.choices is None else uses.choices[iterations]


def _of_iterations(values: Integers, iterations: Integers) -> Integers:
    return np.broadcast_to(values[0], len(iterations)) if len(values) == 1 else values.take(iterations)


def _counted(book: KeyLedger, keys: Integers, use: Integers, choices: Integers) -> Booleans:
    """Return a mask of the rows that are separate consumptions; rows are in the order of the run.

    A sampler may use its key for two algorithms and select from the results. In a vmapped ``cond`` each example takes
    one branch: another example that takes another branch with the same key is sharing, not reuse.
    """
    call_sites = [uses.call_site for uses in book.uses]
    positions, places = np.array([[each.position, each.place] for each in call_sites]).T
    counted = np.ones(len(keys), np.bool_)
    if len({(each.position, each.place) for each in call_sites}) > len(set(positions.tolist())):
        counted = _one_of_several(np.stack([keys, positions[use]]), places[use])
    rows = np.flatnonzero(counted & (choices != -1))
    if len(rows):
        branches = np.array([uses.event.branch for uses in book.uses])[use]
        counted[rows] = _one_of_several(np.stack([keys, choices])[:, rows], branches[rows])
    return counted


def _one_of_several(group: Integers, part: Integers) -> Booleans:
    """Return a mask that keeps one n-th row per group, where any of the group's parts has an n-th row.

    `group` is int[columns, rows] and `part` int[rows].
    """
    rows = np.arange(len(part))
    order = np.lexsort((rows, part, *group))
    columns = np.stack([*group, part])[:, order]
    starts = np.flatnonzero(np.append(True, (columns[:, 1:] != columns[:, :-1]).any(0)))[: len(rows)]
    turn = np.empty(len(rows), np.int64)
    turn[order] = rows - np.repeat(starts, np.diff(np.append(starts, len(rows))))
    _, firsts = np.unique(np.stack([*group, turn]), axis=1, return_index=True)
    is_first = np.zeros(len(rows), np.bool_)
    is_first[firsts] = True
    return is_first


def _draws(uses: KeyOperation, known: Booleans | None) -> OperationDraws:
    if uses.event.operation != "draw":
        return NO_DRAWS
    made = draws(uses)
    if known is None:
        return made
    new = ~known[made.keys]
    columns = (made.keys[new], made.example[new], made.serves[new], made.moments[new])
    return OperationDraws(*columns, made.shared if new.any() else ())


def in_order(moments: Sequence[Integers]) -> Integers | slice:
    """Return the index that sorts rows by moment, given their `moments` part by part."""
    parts = [part for part in moments if len(part)]
    if all(one[-1] <= other[0] for one, other in pairwise(parts)):
        return slice(None)
    return np.argsort(np.concatenate(parts), kind="stable")


def _sites(book: KeyLedger, is_internal: Booleans) -> tuple[tuple[Site, ...], Integers]:
    """Return the distinct sites of the program, and the site index of each use, int32[uses + 1]."""
    numbers: dict[Site, int] = {}
    site_of = []
    for uses in book.uses:
        event, call_site = uses.event, uses.call_site
        if event.operation == "clone" or event.operation == "iterations":
            site_of.append(-1)
            continue
        inside = call_site.inside
        if event.operation == "draw":
            keys = uses.spent
            # A sampler may draw with the key that it received, or with keys derived from it.
            inside = call_site.name if len(keys) and is_internal[keys[0]] and is_internal[keys].all() else ""
        name = event.operation if call_site.inside else call_site.name
        site = Site(event.operation, name, call_site.span, event.shape, event.dtype, inside)
        site_of.append(numbers.setdefault(site, len(numbers)))
    return tuple(numbers), np.array([*site_of, -1], np.int32)
