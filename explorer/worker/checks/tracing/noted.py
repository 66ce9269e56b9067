"""Records of what a watched program does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from explorer.worker.checks.tracing.host_values import HostKind
from explorer.worker.checks.tracing.instrumented import Place
from explorer.worker.internals.traces import UnderWay


@dataclass
class Noted:
    """The events at one place while something was traced, in one trace or in all of them."""

    place: Place
    kind: HostKind | None
    """What was read there; None where something was changed."""
    function: str
    """What was traced."""
    way: UnderWay
    count: int = 1
    reaches: bool | None = None
    """Whether the program depends on it; None where that is not known."""
    holder: Any = None
    """What was changed."""


@dataclass(frozen=True)
class Stale:
    """Changes that a function which was traced before them does not see."""

    places: tuple[Place, ...]
    function: str
    filename: str
    """Where it is defined; empty where that is not known."""
    line: int


@dataclass(frozen=True)
class Leak:
    """A tracer that is left where others find it."""

    place: Place | None
    """What put it there; None where that is not known."""
    name: str
    tracer: Any
    holder: Any = None
    """What `place` has changed."""
