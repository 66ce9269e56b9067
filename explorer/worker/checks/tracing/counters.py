"""Integers that a traced function counts, set to other values to test whether a condition depends on them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from explorer.worker.checks.tracing import object_graph
from explorer.worker.checks.tracing.instrumented import Place

OTHERS = (2_519_999, 1, 0)
"""Predecessor of a multiple of most periods, above most limits; the last step of a countdown; its end."""


@contextmanager
def set_to(number: int, place: Place, holder: Any, module: dict[str, Any]) -> Iterator[bool]:
    """Set the counter at `place`, a part of `holder` or a name of `module`, to `number` in the block.

    Yield whether it is an integer at all.
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
    """Return the value at `place`, or None if it is gone."""
    try:
        return holder() if place.kind == "rebound" else object_graph.step(holder, place.leaf) if place.leaf else None
    except Exception:  # user code answers here
        return None


def _setter(place: Place, holder: Any, module: dict[str, Any]) -> Callable[[int], None] | None:
    if place.kind == "part":
        if place.leaf.startswith("["):
            return lambda number: holder.__setitem__(ast.literal_eval(place.leaf[1:-1]), number)
        return lambda number: setattr(holder, place.leaf, number)
    if place.is_global:
        return lambda number: module.__setitem__(place.base, number)
    # A closure that reads a variable has exactly this cell.
    return lambda number: setattr(holder.__closure__[0], "cell_contents", number)
