"""The calls in user code that pass a key on: where the paths to its uses diverge from each other and from its maker.

A path is the tuple of calls that lead to a place, outermost first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from explorer.messages import Place, PlaceRole, Span

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
