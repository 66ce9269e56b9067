"""Records of a watched program's side effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from explorer.worker.checks.tracing.host_values import HostKind
from explorer.worker.checks.tracing.instrumented import Place
from explorer.worker.internals.traces import UnderWay


@dataclass
class Noted:
    """Events at one place during traces."""

    place: Place
    kind: HostKind | None
    """The kind of value that was read; None for a change."""
    function: str
    """Name of the traced function."""
    way: UnderWay
    count: int = 1
    reaches: bool | None = None
    """Whether the program depends on it; None if unknown."""
    holder: Any = None
    """The changed object."""


@dataclass(frozen=True)
class Stale:
    """Changes that a function traced earlier does not see."""

    places: tuple[Place, ...]
    function: str
    filename: str
    """The file that defines it; empty if unknown."""
    line: int


@dataclass(frozen=True)
class Leak:
    """A tracer that is still reachable after its trace."""

    place: Place | None
    """The place that stored it; None if unknown."""
    name: str
    tracer: Any
    holder: Any = None
    """The object that `place` changed."""
