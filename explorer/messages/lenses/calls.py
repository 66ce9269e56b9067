"""The calls of jitted functions: the Python code that ran, and the cache key of each call."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from explorer.messages.basics import Span
from explorer.messages.lenses.lens import Lens, LensSpec
from explorer.text.text import Text, say

Part = Literal["shape", "dtype", "weak type", "static value", "structure", "function object", "settings", "forgotten"]
"""A difference between two calls; ``forgotten``: none, but the cache was cleared."""
MOST_CALLS = 200
"""Largest number of calls reported per variant; the counts include all calls."""


class Given(msgspec.Struct, frozen=True, array_like=True):
    """One array or static value among a call's arguments."""

    name: str
    """``x``, ``params['w']``."""
    type: str = ""
    """JAX's notation: ``f32[3,4]``, with ``~`` in front for weak types; `static` for a static value."""
    shape: str = ""
    """``(3, 4)``; empty for a static value."""
    dtype: str = ""
    """JAX's name: ``float32``; empty for a static value."""
    weak: bool = False
    """Whether its type is weak, like a Python number's: https://docs.jax.dev/en/latest/type_promotion.html."""
    static: str | None = None
    """The repr of a static value, None for an array."""


class Asked(msgspec.Struct, frozen=True):
    """The cache key of one call."""

    given: tuple[Given, ...] = ()
    more: int = 0
    """Number of further arguments: only the first ones and those that differ are reported."""
    structure: str = ""
    """The nesting of the arguments."""
    function: int = 1
    """Index of the function object among those with this code, from 1."""


class Difference(msgspec.Struct, frozen=True, array_like=True):
    """One difference from the nearest cache entry."""

    part: Part
    name: str = ""
    """Name of the argument, or empty."""


class TracedLine(msgspec.Struct, frozen=True):
    """One line of user code that ran during a trace."""

    line: int
    text: str = ""
    """The source text of the line."""
    made: tuple[str, ...] = ()
    """Tracers that it assigned, with types, and globals that it set: ``y: f32[3]``, ``n = 2``."""
    times: int = 1
    printed: str = ""


class Leak(msgspec.Struct, frozen=True, array_like=True):
    """A tracer that escaped its trace."""

    name: str
    """Its current location: ``history[0]``."""
    type: str
    line: int
    """The line that computed it, 0 for none."""


class Stale(msgspec.Struct, frozen=True, array_like=True):
    """A global whose value changed between the trace and the call."""

    name: str
    used: str
    """The value in the program."""
    now: str


class LensCall(msgspec.Struct, frozen=True):
    """One call of a jitted function."""

    number: int
    """From 1, in the order in which calls begin."""
    function: str
    hit: bool
    """Whether jit had the program in its cache: then no line of the function runs."""
    asked: Asked
    span: Span | None = None
    """The call in user code."""
    lines: tuple[int, ...] = ()
    """The user's lines that ran during the lookup, without repetitions, in the order of the code."""
    traced: tuple[TracedLine, ...] = ()
    """The same in execution order."""
    printed: str = ""
    """The output printed during the call, without calls inside it."""
    differs: tuple[Difference, ...] = ()
    """Differences from the nearest cache entry, for a miss; () without an entry."""
    nearest: int = -1
    """Number of the call that made the used or nearest cache entry; 0 for one before the first call, -1 for none."""
    traces: int = 0
    """Number of traces of the function so far, including this call."""
    compiled: bool = False
    """Whether the call compiled anything."""
    inside: int = -1
    """The number of the enclosing call, -1 for none."""
    is_call: bool = True
    """False if the program was requested without running it, as by ``f.lower``."""
    sentence: Text = Text()
    """The reason of a miss, and further notes on the call."""
    leaks: tuple[Leak, ...] = ()
    """The tracers that escaped its trace."""
    stale: tuple[Stale, ...] = ()
    """The globals that changed since the trace."""
    error: str = ""
    """The exception it raised."""


class CallsLens(Lens, frozen=True, tag=True):
    """The calls of jitted functions in one variant."""

    calls: tuple[LensCall, ...] = ()
    count: int = 0
    """Number of calls; only the first ones are reported."""
    traces: int = 0
    """Number of traces of user functions, including unreported calls."""
    notes: tuple[Text, ...] = ()
    """The called functions, and omissions."""

    def as_json(self) -> list[dict[str, Any]]:
        return [_call(each) for each in self.calls]


def _call(call: LensCall) -> dict[str, Any]:
    asked = {name: value for each in call.asked.given for name, value in _given(each).items()}
    return {
        "call": call.number,
        "function": call.function,
        "hit": call.hit,
        "lines": list(call.lines),
        "asked": {**asked, "structure": call.asked.structure, "function object": call.asked.function},
        "differs": [f"{each.part} of {each.name}" if each.name else each.part for each in call.differs],
        "nearest": call.nearest,
        "traces": call.traces,
        "printed": call.printed,
        "leaks": [{"name": each.name, "type": each.type, "line": each.line} for each in call.leaks],
        "stale": [{"name": each.name, "used": each.used, "now": each.now} for each in call.stale],
        "error": call.error,
    }


def _given(given: Given) -> dict[str, Any]:
    if given.static is not None:
        return {f"static value of {given.name}": given.static}
    parts = {"shape": given.shape, "dtype": given.dtype, "weak type": given.weak}
    return {f"{part} of {given.name}": value for part, value in parts.items()}


LENS = LensSpec(
    "calls",
    CallsLens,
    name=say("calls"),
    tip=say("Shows each call of a jitted function, and the Python that ran in it"),
    ability="traces",
)
