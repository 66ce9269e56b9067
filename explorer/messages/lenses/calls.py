"""The calls of jitted functions: which Python ran, and which cache key each call had."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from explorer.messages.basics import Span
from explorer.messages.lenses.lens import Lens, LensSpec
from explorer.text.text import Text, say

Part = Literal["shape", "dtype", "weak type", "static value", "structure", "function object", "settings", "forgotten"]
"""What two calls may differ in; ``forgotten`` says that they differ in nothing, but that the cache was cleared."""
MOST_CALLS = 200
"""That are reported of one variant; the counts hold all that were seen."""


class Given(msgspec.Struct, frozen=True, array_like=True):
    """One array, or one static value, that a function is called with."""

    name: str
    """``x``, ``params['w']``."""
    type: str = ""
    """As JAX writes it: ``f32[3,4]``, with ``~`` before it where it is weak; of a static value its `static`."""
    shape: str = ""
    """``(3, 4)``; empty for a static value."""
    dtype: str = ""
    """As JAX names it: ``float32``; empty for a static value."""
    weak: bool = False
    """Whether its type gives way to that of others, as a Python number's does."""
    static: str | None = None
    """The static value as Python writes it, None for an array."""


class Asked(msgspec.Struct, frozen=True):
    """The cache key of one call."""

    given: tuple[Given, ...] = ()
    more: int = 0
    """How many others it is called with: of very many the first are reported, and those that differ."""
    structure: str = ""
    """Which arguments there are, and how they are nested."""
    function: int = 1
    """Which of the function objects with this code it is, counted from 1."""


class Difference(msgspec.Struct, frozen=True, array_like=True):
    """One thing that is other than in the nearest entry of the cache."""

    part: Part
    name: str = ""
    """Of the argument; empty where it is none's."""


class TracedLine(msgspec.Struct, frozen=True):
    """One line of user code that ran while a call was traced."""

    line: int
    text: str = ""
    """The code that stands there."""
    made: tuple[str, ...] = ()
    """The tracers that it gave names to, with their types, and the globals that it set: ``y: f32[3]``, ``n = 2``."""
    times: int = 1
    printed: str = ""


class Leak(msgspec.Struct, frozen=True, array_like=True):
    """A tracer that has got out of its trace."""

    name: str
    """Where it is now: ``history[0]``."""
    type: str
    line: int
    """On which it was computed, 0 for none."""


class Stale(msgspec.Struct, frozen=True, array_like=True):
    """A global that a program was traced with, and that has another value in the call that runs it."""

    name: str
    used: str
    """The value that the program has."""
    now: str


class LensCall(msgspec.Struct, frozen=True):
    """One call of a jitted function."""

    number: int
    """From 1, in the order in which they began."""
    function: str
    hit: bool
    """Whether jit knew the program: then no line of the function runs."""
    asked: Asked
    span: Span | None = None
    """Where user code calls it."""
    lines: tuple[int, ...] = ()
    """The user's lines that ran until jit had the program, each once, in the order of the code."""
    traced: tuple[TracedLine, ...] = ()
    """The same in the order in which they ran."""
    printed: str = ""
    """What came out while the call lasted, calls inside it left out."""
    differs: tuple[Difference, ...] = ()
    """Of a miss, from the nearest entry; () where there is none."""
    nearest: int = -1
    """The number of the call that made the entry that is used, or that is nearest; 0 for one before the first call,
    -1 for none."""
    traces: int = 0
    """How often the function has been traced, this call included."""
    compiled: bool = False
    """Whether something was compiled."""
    inside: int = -1
    """The number of the call in which it is made, -1 for none."""
    is_call: bool = True
    """False where the program was asked for without being run, as by ``f.lower``."""
    sentence: Text = Text()
    """Of a miss, why; and what else to know about the call."""
    leaks: tuple[Leak, ...] = ()
    """The tracers that its trace has left behind."""
    stale: tuple[Stale, ...] = ()
    """The globals that have changed since the program was traced."""
    error: str = ""
    """What it raised."""


class CallsLens(Lens, frozen=True, tag=True):
    """The calls of jitted functions that one variant makes."""

    calls: tuple[LensCall, ...] = ()
    count: int = 0
    """How many were seen; only the first are reported."""
    traces: int = 0
    """How often the user's functions were traced, calls that are not told included."""
    notes: tuple[Text, ...] = ()
    """What was called and how, and what is left out."""

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
