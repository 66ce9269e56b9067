"""Whole numbers that a traced function counts: set to others, to see whether a condition hangs on them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from explorer.worker.checks.tracing import object_graph
from explorer.worker.checks.tracing.instrumented import Place

OTHERS = (2_519_999, 1, 0)
"""Before a number that most periods divide, beyond most limits; and where a countdown is about to end, and is over."""


@contextmanager
def set_to(number: int, place: Place, holder: Any, module: dict[str, Any]) -> Iterator[bool]:
    """Let what is counted at `place`, a part of `holder` or a name of `module`, be `number` in the block.

    Yields whether it is a whole number at all.
    """
    before = value_at(place, holder)
    put = _setter(place, holder, module) if type(before) is int else None
    if put is None:
        yield False
        return
    put(number)
    try:
        yield True
    finally:
        put(before)


def value_at(place: Place, holder: Any) -> Any:
    """Return what was set at `place`, None where that is no more to be found."""
    try:
        return holder() if place.kind == "rebound" else object_graph.step(holder, place.leaf) if place.leaf else None
    except Exception:  # what is asked is the user's own code
        return None


def _setter(place: Place, holder: Any, module: dict[str, Any]) -> Callable[[int], None] | None:
    if place.kind == "part":
        if place.leaf.startswith("["):
            return lambda number: holder.__setitem__(ast.literal_eval(place.leaf[1:-1]), number)
        return lambda number: setattr(holder, place.leaf, number)
    if place.is_global:
        return lambda number: module.__setitem__(place.base, number)
    # What reads a name of a function around it has one variable of others.
    return lambda number: setattr(holder.__closure__[0], "cell_contents", number)
