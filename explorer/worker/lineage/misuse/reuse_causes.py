"""Why keys are used too often: one key is used twice, equal keys are made twice, or one key is passed on twice.

Keys of one cause belong to one finding, regardless of their number and of the places that consume them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from explorer.figures.equal_rows import Integers
from explorer.worker.lineage.key_uses import KeyOperation
from explorer.worker.lineage.lineage import Booleans, Lineage
from explorer.worker.lineage.misuse import routes
from explorer.worker.lineage.misuse.harmless import names_a_seed

CauseKind = Literal["used", "made", "given"]


class ReuseCause(msgspec.Struct, frozen=True):
    """Keys that are used too often for the same reason."""

    kind: CauseKind
    """``used``: one made key is used more than once. ``made``: equal keys are made more than once.

    ``given``: a library or JAX derives keys from its argument, and receives the same argument more than once.
    """
    keys: Integers
    root: int
    """The first key that is made or passed more than once: one of `keys` or their ancestor."""
    times: int
    """Largest number of uses of one of the keys."""
    uses: tuple[int, ...]
    """Consumers, as indices into the ledger's uses: the first one and the first excess one, then the others."""
    makings: tuple[int, ...]
    """Makers of the keys that are made or passed more than once, as indices into the ledger's uses."""
    example: tuple[tuple[int, ...], tuple[int, ...]]
    """The consumers of the first of the keys, and the makers of its root."""
    in_one_call: bool
    """Whether all of it happens inside one library call of user code, as far as the record shows."""

    def joined(self, other: ReuseCause) -> ReuseCause:
        """Return this cause with the keys of `other`, which has the same cause."""
        return replace(
            self,
            kind=self.kind if self.kind == other.kind else "given",
            keys=np.union1d(self.keys, other.keys),
            times=max(self.times, other.times),
            uses=tuple(dict.fromkeys([*self.uses, *other.uses])),
            makings=tuple(dict.fromkeys([*self.makings, *other.makings])),
        )


def causes(known: Lineage) -> list[ReuseCause]:
    """Return the causes of all reuse, in the order of the run."""
    too_often = known.times > known.allowed
    if len(keys := np.flatnonzero(too_often)):
        inside_jax = [bool(uses.call_site.inside) and not uses.call_site.library for uses in known.book.uses]
        too_often[keys] = ~np.array([*inside_jax, False])[known.family.use[keys]]
    if not too_often.any():
        return []
    spent, makings = _spent(known, too_often), _makings(known, too_often)
    walk = _walk(known, spent, makings)
    found = [*_used_again(known, spent, makings, walk), *_made_again(known, spent, makings, walk)]
    return [cause for _, cause in sorted(found, key=lambda each: each[0])]


# -- the history of the keys -------------------------------------------------------------------


class _Rows(NamedTuple):
    """Events of keys, sorted by key and moment."""

    keys: Integers
    use: Integers
    moments: Integers

    def of(self, keys: npt.ArrayLike) -> _Rows:
        """Return the rows of `keys`."""
        return self.at(np.isin(self.keys, keys))

    def at(self, here: Booleans) -> _Rows:
        """Return the rows selected by the mask `here`."""
        return _Rows(*(column[here] for column in self))


def _sorted(keys: Integers, use: Integers, moments: Integers) -> _Rows:
    order = np.lexsort((moments, keys))
    return _Rows(*(column[order].astype(np.int64) for column in (keys, use, moments)))


def _spent(known: Lineage, keys: Booleans) -> _Rows:
    rows = np.flatnonzero(keys[known.consumed.keys])
    return _sorted(known.consumed.keys[rows], known.consumed.use[rows], known.consumed.moments[rows])


def _makings(known: Lineage, keys: Booleans) -> _Rows:
    """Return the makings of `keys` and of their ancestors, as far up as a cause may lie.

    Recomputation does not count, and a library's default from its import does not where the program makes the same key.
    Several examples or devices that make a key at one moment count once.
    """
    wanted = keys.copy()
    above = np.flatnonzero(keys)
    while len(above):
        parents = known.family.parent[above]
        above = np.unique(parents[parents >= 0])
        above = above[~wanted[above]]
        wanted[above] = True
        above = above[known.is_internal[above] | (known.family.times[above] > 1)]
    imported = np.array([*(_is_constant(uses) for uses in known.book.uses), False])
    columns: list[tuple[Integers, Integers, Integers]] = []
    for number, uses in enumerate(known.book.uses):
        if uses.made is not None and not uses.again:
            here = (uses.made >= 0) & wanted[uses.made]
            if imported[number]:
                here &= imported[known.family.use[uses.made]]
            moments = uses.moments.reshape(-1, *(1,) * (uses.made.ndim - 1))
            moments = np.broadcast_to(moments, uses.made.shape)[here]
            columns.append((uses.made[here], np.full(len(moments), number), moments))
    if not columns:
        return _Rows(_NONE, _NONE, _NONE)
    rows = _sorted(*(np.concatenate(parts) for parts in zip(*columns, strict=True)))
    first = np.ones(len(rows.keys), np.bool_)
    first[1:] = (rows.keys[1:] != rows.keys[:-1]) | (rows.moments[1:] != rows.moments[:-1])
    return _Rows(*(column[first] for column in rows))


def _is_constant(uses: KeyOperation) -> bool:
    """Return whether a library makes a key from a seed of its own: no call passes it one."""
    site = uses.call_site
    own = uses.event.operation == "seed" and site.library and site.inside != ""
    return site.imports or (own and not names_a_seed(site))


_NONE = np.zeros(0, np.int64)


class _Walk(NamedTuple):
    """The result of following each key back to its maker."""

    first: Integers
    """Row indices of consumptions, one per key with an overused making: the first use of that making."""
    too_many: Integers
    """Row indices of the first excess use of the same making."""
    stretch: Integers
    """For each consumption, a number shared by all uses of the same making of the same key."""
    made_again: Booleans
    """bool[keys]: whether more than one making of a key is used."""


def _walk(known: Lineage, spent: _Rows, makings: _Rows) -> _Walk:
    """Assign uses to makings: each making allows a number of uses, and each use takes one of the remaining ones."""
    made = np.isin(makings.keys, spent.keys)
    keys = np.concatenate([makings.keys[made], spent.keys])
    is_use = np.arange(len(keys)) >= len(keys) - len(spent.keys)
    row = np.concatenate([np.full(len(keys) - len(spent.keys), -1), np.arange(len(spent.keys))])
    order = np.lexsort((is_use, np.concatenate([makings.moments[made], spent.moments]), keys))
    keys, is_use, row = keys[order], is_use[order], row[order]
    starts = np.append(True, keys[1:] != keys[:-1])
    allowed = known.allowed[keys].astype(np.int64)
    # A key used before it is made already existed, unrecorded.
    gain = np.where(is_use, -1, allowed) + np.where(starts & is_use, allowed, 0)
    over = _below_all_before(gain, starts)
    opens = is_use & (starts | np.append(True, ~is_use[:-1]))
    first = np.maximum.accumulate(np.where(opens, np.arange(len(keys)), 0))
    _, places = np.unique(keys[over], return_index=True)
    too_many = np.flatnonzero(over)[places]
    stretch = np.empty(len(spent.keys), np.int64)
    stretch[row[is_use]] = np.cumsum(opens)[is_use]
    size = known.book.size
    in_bounds = np.bincount(keys[is_use & ~over], minlength=size)
    return _Walk(row[first[too_many]], row[too_many], stretch, in_bounds > known.allowed)


def _below_all_before(gain: Integers, starts: Booleans) -> Booleans:
    """Return a mask where the running sum of `gain` is below 0 and below all earlier sums; it restarts at `starts`."""
    begun = np.cumsum(starts) - 1
    total = np.cumsum(gain)
    total -= (total - gain)[starts][begun]
    # The offset decreases from stretch to stretch, so one running minimum serves all of them.
    fall = begun * (2 * int(np.abs(gain).sum()) + 1)
    lowest = np.minimum.accumulate(total - fall) + fall
    before = np.where(starts, 0, np.minimum(np.append(0, lowest[:-1]), 0))
    return total < before


# -- one key that is used more than once -------------------------------------------------------

_Found = Iterator[tuple[int, ReuseCause]]
"""(moment of the first use, cause)"""


def _used_again(known: Lineage, spent: _Rows, makings: _Rows, walk: _Walk) -> _Found:
    """Yield the causes of overused keys that were made once, one per pair of places."""
    sites = known.site_of[spent.use].astype(np.int64)
    pairs = sites[walk.first] * len(known.sites) + sites[walk.too_many]
    for rows in _parted(np.arange(len(pairs)), pairs):
        first, again = walk.first[rows], walk.too_many[rows]
        earliest = int(np.argmin(spent.moments[again]))
        at = (first[earliest], again[earliest])
        keys = spent.keys[again]
        # Uses of other makings of these keys belong to another cause.
        here = spent.at(np.isin(walk.stretch, walk.stretch[again]))
        pair = tuple(int(spent.use[row]) for row in at)
        made = makings.at(_last_before(makings, spent.keys[first], spent.moments[first]))
        yield int(spent.moments[at[0]]), _cause(known, "used", (here, made), int(keys[earliest]), pair)


def _last_before(makings: _Rows, keys: Integers, moments: Integers) -> Booleans:
    """Return a mask of the last making of each of `keys` before its moment, bool[makings]."""
    longest = int(max(makings.moments.max(initial=0), moments.max(initial=0))) + 1
    place = np.searchsorted(makings.keys * longest + makings.moments, keys * longest + moments) - 1
    # Index 0 stands for keys without a making.
    found = np.zeros(len(makings.keys) + 1, np.bool_)
    found[np.where(np.append(-1, makings.keys)[place + 1] == keys, place + 1, 0)] = True
    return found[1:]


def _cause(
    known: Lineage, kind: CauseKind, rows: tuple[_Rows, _Rows], root: int, pair: tuple[int, ...] = ()
) -> ReuseCause:
    """Return the cause of the consumptions and makings in `rows`; the earliest key descends from `root`."""
    spent, made = rows
    key = spent.keys[np.argmin(spent.moments)] if kind != "used" else root
    example = tuple(_in_order(spent.of(key))), tuple(_in_order(made.of(root)))
    uses = tuple(dict.fromkeys([*pair, *_in_order(spent)]))
    keys, times = np.unique(spent.keys, return_counts=True)
    alone = _in_one_call(known, spent, made)
    return ReuseCause(kind, keys, root, int(times.max()), uses, tuple(_in_order(made)), example, alone)


def _in_order(rows: _Rows) -> list[int]:
    """Return the uses in `rows`, without repetitions, in the order of the run."""
    _, places = np.unique(rows.use, return_index=True)
    earliest = np.full(int(rows.use.max(initial=0)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(earliest, rows.use, rows.moments)
    found = rows.use[places]
    ordered: list[int] = found[np.argsort(earliest[found], kind="stable")].tolist()
    return ordered


def _parted(values: Integers, group: Integers) -> list[Integers]:
    """Return the `values` of each group, in their order."""
    _, numbers = np.unique(group, return_inverse=True)
    order = np.argsort(numbers, kind="stable")
    return np.split(values[order], np.flatnonzero(np.diff(numbers[order])) + 1) if len(values) else []


def _in_one_call(known: Lineage, spent: _Rows, makings: _Rows) -> bool:
    """Return whether only a library overuses the keys, inside one call from user code.

    A callback into user code may consume each key once. A loop around the call shows as one place that consumes a key
    twice, unless the key is made once, inside the call.
    """
    sites = {number: known.book.uses[number].call_site for number in np.unique(spent.use).tolist()}
    paths = [each.path for each in sites.values()]
    of_calls = [
        np.unique(spent.keys[np.isin(spent.use, [use for use, each in sites.items() if each.path == path])])
        for path in set(paths)
    ]
    if len(of_calls) > 1 and len(np.unique(spent.keys)) == sum(map(len, of_calls)):
        # No call uses a key of another one.
        return all(_in_one_call(known, spent.of(keys), makings.of(keys)) for keys in of_calls)
    call = paths[0][: routes.parting(paths)]
    called_back = [number for number, each in sites.items() if each.path != call]
    if not all(each.library for each in sites.values() if each.path == call) or len(called_back) == len(sites):
        return False
    if np.bincount(spent.keys[np.isin(spent.use, called_back)]).max(initial=0) > 1:
        return False
    makers = [known.book.uses[number].call_site for number in np.unique(makings.use)]
    made_once = len(np.unique(makings.keys)) == len(makings.keys) > 0
    if made_once and all(each.inside and each.path == call for each in makers):
        return True
    if all(each.inside for each in makers) and known.book.call_roles.get("repeated", frozenset()).isdisjoint(call):
        # A loop of the library's own, with keys of its own: a tree of keys, which it walks down again and again.
        return True
    places = np.array([(each.call_site.position, each.call_site.place) for each in known.book.uses])[spent.use]
    rows = np.column_stack([spent.keys, places])
    return len(np.unique(rows, axis=0)) == len(rows)


# -- equal keys that are made more than once ---------------------------------------------------


def _made_again(known: Lineage, spent: _Rows, makings: _Rows, walk: _Walk) -> _Found:
    """Yield the causes of keys with several used makings, one for all keys made at the same places."""
    if not walk.made_again.any():
        return
    made = np.bincount(makings.keys, minlength=known.book.size)
    made_more = made > 1
    keys, roots = _roots(known, np.flatnonzero(walk.made_again), makings)
    group = _by_makers(known, makings, roots)
    for chosen in _parted(np.arange(len(keys)), group):
        of_roots = np.unique(roots[chosen])
        rows = spent.of(keys[chosen])
        first = rows.keys[np.argmin(rows.moments)]
        kind: CauseKind = "made" if made_more[of_roots].any() else "given"
        root = int(roots[chosen][keys[chosen] == first][0])
        yield int(rows.moments.min()), _cause(known, kind, (rows, makings.of(of_roots)), root)


def _roots(known: Lineage, keys: Integers, makings: _Rows) -> tuple[Integers, Integers]:
    """Return those `keys` that have their own cause, and the key where each cause lies.

    A library does not choose the keys that it derives, and a key derived once per making of its parent repeats with the
    parent. Children of a key that is split too often belong to the finding of that key.
    """
    by_split_alone = np.ones(known.book.size, np.bool_)
    for uses in known.book.uses:
        if uses.made is not None and uses.event.operation != "split":
            by_split_alone[uses.made[uses.made >= 0]] = False
    too_often = known.times > known.allowed
    made = np.bincount(makings.keys, minlength=known.book.size)
    roots: Integers = keys.copy()
    while True:
        parents: Integers = known.family.parent[roots]
        follows = (parents >= 0) & by_split_alone[roots] & too_often[parents]
        keys, roots, parents = (each[~follows] for each in (keys, roots, parents))
        climbs = (parents >= 0) & (known.is_internal[roots] | (made[parents] > 1) & (made[parents] <= made[roots]))
        for place in np.flatnonzero((parents >= 0) & ~climbs & (made[parents] > made[roots])):
            climbs[place] = _repeats_with(makings.of(parents[place]), makings.of(roots[place]))
        if not climbs.any():
            return keys, roots
        roots[climbs] = parents[climbs]


def _repeats_with(parent: _Rows, key: _Rows) -> bool:
    """Return whether each making of a key follows another making of its parent, which several places make."""
    made_before = np.searchsorted(parent.moments, key.moments, side="right")
    return len(np.unique(parent.use)) > 1 and bool((made_before > np.arange(len(made_before))).all())


def _by_makers(known: Lineage, makings: _Rows, roots: Integers) -> Integers:
    """Return a number for each of `roots`, equal for keys made by the same uses."""
    rows = makings.of(roots)
    pairs = np.unique(np.stack([rows.keys, rows.use]), axis=1)
    # Random numbers of the uses: their sum identifies the set.
    of_use = np.random.default_rng(0).integers(2**62, size=len(known.book.uses))
    sums = np.zeros(known.book.size, np.int64)
    np.add.at(sums, pairs[0], of_use[pairs[1]])
    return sums[roots]
