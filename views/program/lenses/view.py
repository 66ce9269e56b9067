"""The parts of a lens's view, found by the id of the lens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from explorer.messages import Fix
from explorer.messages.lenses.lens import Rerun
from views.program.lenses.table_records import Piece, Table


@dataclass(frozen=True)
class Seen:
    """The context of a lens's rows, in addition to its answer for the variant."""

    variant: str = ""
    equations: int = 0
    """The number of equations of the program on screen."""
    is_mapped: bool = False
    """Whether that has a vmap in it."""
    shared: Any = None
    """Common data of the view, from the answers about all variants."""


NOTHING_SEEN = Seen()


@dataclass(frozen=True)
class Offer:
    """One button below the rows."""

    label: str
    tip: str
    wanted: Rerun | Fix


def _nothing(*_: Any) -> Any:
    return []


@dataclass(frozen=True)
class LensView:
    """Makes rows and a summary of a lens's answer. Those of the lens ``x`` are ``VIEW`` in ``x_rows``."""

    table: Callable[[Any, Seen], Table]
    summary: Callable[[Any, Seen], list[Piece]]
    """The sentences below the rows."""
    offers: Callable[[Any, Seen], list[Offer]] = _nothing
    """The user's further options."""
    shared: Callable[[Sequence[Any]], Any] = _nothing
    """Facts on all variants that the rows of each need."""


@cache
def view_of(lens: str) -> LensView:
    found = import_module(f"{__package__}.{lens}_rows").VIEW
    assert isinstance(found, LensView)
    return found
