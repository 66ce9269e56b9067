"""The jitted functions that a program calls outside of all others, without the arrays of the calls."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from jax.extend.core import ClosedJaxpr, Jaxpr

from explorer import OUR_FILES
from explorer.worker.internals import compiled, jaxprs, sources
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.spans import Position


@dataclass(frozen=True)
class JittedCall:
    """One call of a jitted function."""

    name: str
    place: tuple[str, int]
    """(file, line) of its definition."""
    tracebacks: tuple[sources.Traceback, ...]
    """Those of the call, the innermost first."""
    compiled: Callable[[], Any]
    """Compiles the program of the call and returns the jax.stages.Compiled, or an equivalent object."""

    @property
    def positions(self) -> list[Position]:
        """Where the program was during the call, the innermost first."""
        return [frame for each in self.tracebacks for frame in zip(*each.raw_frames(), strict=True)]


class JittedCalls:
    """The jitted functions that a program called so far, and a call of the one with the most bytes.

    Functions of JAX itself are not among them.
    """

    def __init__(self) -> None:
        self.largest: JittedCall | None = None
        self.functions: set[tuple[str, int]] = set()
        """The (file, line) of each definition."""
        self._most_bytes = -1
        self._seen: weakref.WeakSet[ClosedJaxpr] = weakref.WeakSet()
        self._guard = Guard()

    def add(self, parameters: dict[str, Any], arguments: Callable[[], Sequence[Any]]) -> None:
        """Note a call with the `parameters` of its jit operation; the `arguments` it returns are not kept."""
        self._guard(self._add, parameters, arguments)

    def _add(self, parameters: dict[str, Any], arguments: Callable[[], Sequence[Any]]) -> None:
        closed = parameters["jaxpr"]
        if closed in self._seen:
            return
        self._seen.add(closed)
        about = closed.jaxpr.debug_info
        place = about.func_filename or "", about.func_lineno or 0
        if not sources.is_user_file(place[0]) or place[0].startswith(OUR_FILES):
            return
        self.functions.add(place)
        size = _bytes(closed.jaxpr)
        if size > self._most_bytes:
            self._most_bytes = size
            self.largest = JittedCall(
                parameters["name"],
                place,
                sources.current_source()[0],
                compiled.what_runs(arguments(), parameters, anew=True),
            )


def _bytes(jaxpr: Jaxpr) -> int:
    """Return the bytes of all arrays that `jaxpr` takes and makes; the body of a loop counts once."""
    made = (variable for each in jaxprs.every_equation(jaxpr) for variable in each.outvars)
    return sum(_bytes_of(each.aval) for each in (*jaxpr.invars, *made))


def _bytes_of(aval: Any) -> int:
    return math.prod(getattr(aval, "shape", ())) * int(getattr(getattr(aval, "dtype", None), "itemsize", 0))
