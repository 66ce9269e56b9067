"""How a lens is shown: what one has to bring, and the view of each, found by the id of the lens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeVar

from explorer.messages import Fix
from explorer.messages.lenses.lens import Further, Lens
from views.program.lenses.rows import Piece, Table

L = TypeVar("L", bound=Lens)


@dataclass(frozen=True)
class Seen:
    """What the rows of a lens depend on beside what it tells of the variant."""

    variant: str = ""
    equations: int = 0
    """Of the program that is on screen."""
    is_mapped: bool = False
    """Whether that has a vmap in it."""
    shared: Any = None
    """What the view made of the answers about all variants."""


@dataclass(frozen=True)
class Offer:
    """One button below the rows."""

    label: str
    tip: str
    wanted: Further | Fix


class LensView(Generic[L]):
    """Makes rows and sentences of what a lens tells. Those of the lens ``x`` are ``VIEW`` in ``x_rows``."""

    def shared(self, _lenses: Sequence[L]) -> Any:
        """Return what the rows of each variant have to know of what is told of all of them."""
        return None

    def table(self, lens: L, seen: Seen) -> Table:
        """Return the rows; none where there is nothing to show."""
        raise NotImplementedError

    def said(self, lens: L, seen: Seen) -> list[Piece]:
        """Return the sentences below the rows."""
        raise NotImplementedError

    def offers(self, _lens: L, _seen: Seen) -> list[Offer]:
        """Return what a person can have beside that."""
        return []


@cache
def view_of(lens: str) -> LensView[Any]:
    """Return the view of the lens with this id."""
    found = import_module(f"{__package__}.{lens}_rows").VIEW
    assert isinstance(found, LensView)
    return found
