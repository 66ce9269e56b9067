"""The maker of a key as seen from one use: the same key value may be made several times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.figures.equal_rows import Integers
from explorer.messages import Span
from explorer.worker.lineage.key_uses import KeyOperation
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse import routes
from explorer.worker.lineage.sharing import SharedAxis

_NO_END = np.iinfo(np.int64).max


def call_of(uses: KeyOperation, axis: SharedAxis) -> Span | None:
    """Return the call that runs `uses` in parallel along `axis`."""
    if axis.level is None:
        return uses.call_site.devices
    return uses.call_site.levels[axis.level].call if axis.level < len(uses.call_site.levels) else None


def makers_before(known: Lineage, keys: Integers, moments: Integers, path: routes.Path) -> Integers:
    """Return the use that made each of `keys` before its moment, as seen from the call path `path`; -1 for none.

    `keys`, `moments` and the result are int[n]. Of several makers, the one with most calls in common with `path`
    counts, then the one with the fewest further calls, which have returned, then the latest.
    """
    found = known.family.use[keys].astype(np.int64)
    if not (known.family.times[keys] > 1).any():
        return found
    unique, inverse = np.unique(keys, return_inverse=True)
    until = np.zeros(len(unique), np.int64)
    np.maximum.at(until, inverse, moments)
    best = known.family.use[unique].astype(np.int64)
    for number in sorted(_that_made(known, unique), key=lambda number: _nearness(known.book.uses[number], path)):
        uses = known.book.uses[number]
        first = _first_made(uses, unique)
        best[first < until] = number
    return best[inverse]


def roots_inside(known: Lineage, call: Span, axis: SharedAxis) -> Integers:
    """Return the oldest ancestor of each key that `call` derived from a key shared along `axis`, int[keys]."""
    roots = np.arange(known.book.size)
    for uses in known.book.uses:
        if uses.made is None or uses.keys is None or uses.again or call_of(uses, axis) != call:
            continue
        if _is_mapped(uses, axis) and uses.event.operation != "split":
            # The folded data may be the reason why the keys are equal.
            continue
        parent = np.broadcast_to(uses.keys[..., None], uses.made.shape)
        here = (uses.made > parent) & (parent >= 0)
        roots[uses.made[here]] = parent[here]
    while not np.array_equal(above := roots[roots], roots):
        roots = above
    return roots


def _is_mapped(uses: KeyOperation, axis: SharedAxis) -> bool:
    return axis.level is None or uses.call_site.levels[axis.level].axis is not None


def _that_made(known: Lineage, keys: Integers) -> Sequence[int]:
    return [
        number
        for number, uses in enumerate(known.book.uses)
        if uses.made is not None and not uses.again and np.isin(uses.made, keys).any()
    ]


def _nearness(uses: KeyOperation, path: routes.Path) -> tuple[int, int, int]:
    own = uses.call_site.path
    common = routes.parting([own, path])
    return common, common - len(own), int(uses.moments.min())


def _first_made(uses: KeyOperation, keys: Integers) -> Integers:
    """Return the moment at which `uses` first made each of the sorted `keys`, int64[n]."""
    assert uses.made is not None
    first = np.full(len(keys), _NO_END)
    moments = np.broadcast_to(uses.moments.reshape(-1, *(1,) * (uses.made.ndim - 1)), uses.made.shape)
    here = np.isin(uses.made, keys)
    np.minimum.at(first, np.searchsorted(keys, uses.made[here]), moments[here])
    return first
