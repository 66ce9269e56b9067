"""The calls in user code that pass a key on to its uses, and the maker of a key as seen from one use.

A path is the tuple of calls that lead to a place, outermost first. The same key value may be made several times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from explorer.figures.equal_rows import Integers
from explorer.figures.key_tally import ends_of
from explorer.messages import Place, PlaceRole, Span
from explorer.worker.lineage.key_uses import KeyOperation
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.sharing import SharedAxis

Path = tuple[Span, ...]


def roles(role: PlaceRole, spans: Iterable[Span | None]) -> Iterator[Place]:
    """Yield a place of `role` for each known span, without repetitions."""
    return (Place(role, span) for span in dict.fromkeys(spans) if span is not None)


def made_at(made: Sequence[Path], spent: Sequence[Path]) -> list[Span]:
    """Return the places that made keys: for a function that makes and returns a key, its call."""
    found = []
    for path in made:
        shared = max((parting([path, other]) for other in spent), default=len(path) - 1)
        found.append(_inmost(path, min(shared, len(path) - 1)))
    return list(dict.fromkeys(found))


def passed(made: Sequence[Path], spent: Sequence[Path]) -> list[Span]:
    """Return the calls that pass a key to its uses; none for a use in the function that made it.

    The user can act where the paths to the uses diverge or, for a single path, where it leaves the path to the maker. A
    key made inside a call is not passed to that call.
    """
    ways = list(dict.fromkeys(spent))
    parted = parting(ways) if len(ways) > 1 else -1
    found = []
    for path in ways:
        place = max([parted, *(parting([path, other]) for other in made)])
        if 0 <= place < len(path) - 1:
            found.append(_inmost(path, place))
    return [span for span in dict.fromkeys(found) if span not in {path[-1] for path in ways}]


def parting(paths: Sequence[Path]) -> int:
    """Return the first index at which the `paths` differ, or the length of the shortest."""
    shortest = min(map(len, paths), default=0)
    return next((place for place in range(shortest) if len({path[place] for path in paths}) > 1), shortest)


def _inmost(path: Path, place: int) -> Span:
    """Return the call at index `place`, or the innermost call within it that continues the path."""
    while place + 1 < len(path) and _holds(path[place], path[place + 1]):
        place += 1
    return path[place]


def _holds(outer: Span, inner: Span) -> bool:
    start, end = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return (
        outer.file == inner.file
        and start <= (inner.line, inner.column)
        and (inner.end_line, inner.end_column) <= end
        and outer != inner
    )


# -- makers ----------------------------------------------------------------------------------------------------------


_NO_END = np.iinfo(np.int64).max


def call_of(uses: KeyOperation, axis: SharedAxis) -> Span | None:
    """Return the call that runs `uses` in parallel along `axis`."""
    if axis.level is None:
        return uses.call_site.devices
    return uses.call_site.levels[axis.level].call if axis.level < len(uses.call_site.levels) else None


def makers_before(known: Lineage, keys: Integers, moments: Integers, path: Path) -> Integers:
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
        is_mapped = axis.level is None or uses.call_site.levels[axis.level].axis is not None
        if is_mapped and uses.event.operation != "split":
            # The folded data may be the reason why the keys are equal.
            continue
        parent = np.broadcast_to(uses.keys[..., None], uses.made.shape)
        here = (uses.made > parent) & (parent >= 0)
        roots[uses.made[here]] = parent[here]
    return ends_of(roots)


def _that_made(known: Lineage, keys: Integers) -> Sequence[int]:
    return [
        number
        for number, uses in enumerate(known.book.uses)
        if uses.made is not None and not uses.again and np.isin(uses.made, keys).any()
    ]


def _nearness(uses: KeyOperation, path: Path) -> tuple[int, int, int]:
    own = uses.call_site.path
    common = parting([own, path])
    return common, common - len(own), int(uses.moments.min())


def _first_made(uses: KeyOperation, keys: Integers) -> Integers:
    """Return the moment at which `uses` first made each of the sorted `keys`, int64[n]."""
    assert uses.made is not None
    first = np.full(len(keys), _NO_END)
    moments = np.broadcast_to(uses.moments.reshape(-1, *(1,) * (uses.made.ndim - 1)), uses.made.shape)
    here = np.isin(uses.made, keys)
    np.minimum.at(first, np.searchsorted(keys, uses.made[here]), moments[here])
    return first
