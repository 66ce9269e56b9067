"""Which calls of user code hand a key on: where the ways to its uses part from each other and from its making.

A path is the calls that led to a place, outermost first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from explorer.messages import Place, PlaceRole, Span

Path = tuple[Span, ...]

MAX_PLACES = 4


def roles(role: PlaceRole, spans: Iterable[Span | None]) -> Iterator[Place]:
    """Yield a place of `role` for each of `spans` that is known, each once."""
    return (Place(role, span) for span in dict.fromkeys(spans) if span is not None)


def made_at(made: Sequence[Path], spent: Sequence[Path]) -> list[Span]:
    """Return where keys were made; of a function that makes and returns them, where it was called."""
    found = []
    for path in made:
        shared = max((parting([path, other]) for other in spent), default=len(path) - 1)
        found.append(_inmost(path, min(shared, len(path) - 1)))
    return list(dict.fromkeys(found))


def passed(made: Sequence[Path], spent: Sequence[Path]) -> list[Span]:
    """Return the calls through which one key came to where it was spent; none where it is spent in the same function.

    The user can act where the ways to its uses part, or, if there is one way only, where that leaves the way to its
    making. A key that is made inside a call is not passed to it.
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
    """Return the first place on which not all `paths` agree; the length of the shortest if they do."""
    shortest = min(map(len, paths), default=0)
    return next((place for place in range(shortest) if len({path[place] for path in paths}) > 1), shortest)


def _inmost(path: Path, place: int) -> Span:
    """Return the call at `place`, or the one of its own arguments or comprehension that leads on."""
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
