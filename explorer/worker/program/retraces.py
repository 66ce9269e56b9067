"""Counts traces and compilations of each user function in a run (`CompilationMeter`); why, and what changed since."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import jax
import jax.monitoring
import msgspec
from msgspec.structs import replace

from explorer import OUR_FILES
from explorer.messages import FunctionTraces, Span, TraceEvent, TraceReason
from explorer.text.text import Text, say
from explorer.worker.internals import shared_compiles
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.jit import jaxpr_lookups
from explorer.worker.internals.jit.jaxpr_lookups import StaticValue, same
from explorer.worker.internals.same_programs import form
from explorer.worker.internals.spans import UserFiles, innermost_frame, whole_line

TRACED, LOWERED, COMPILED = "/jaxpr_trace_duration", "/jaxpr_to_mlir_module_duration", "/backend_compile_duration"
"""Suffixes of the events' names. They are not part of JAX's documented interface; without them there are no times, and
no compilation is counted."""
WORDS = ("jit", "pmap", "shard_map")
"""A program without any of these words traces no function of its own for jit."""
PATIENCE_S = 5.0
"""Seconds for a run that counts traces, if the request sets no limit."""
AT_ONCE = ("scan", "while", "cond")
"""Names of the programs that JAX compiles for loops and branches outside of jit."""
ChangedPart = Literal["shape", "dtype", "weak type", "static value"]
MOST_EVENTS = 50
"""Largest number of events reported per function; the counts include all."""


class _Function(msgspec.Struct):
    """The counts of one function, identified by its ``def``."""

    name: str
    span: Span
    order: int
    traces: int = 0
    compiles: int = 0
    seconds: dict[str, float] = msgspec.field(default_factory=lambda: dict.fromkeys((TRACED, LOWERED, COMPILED), 0.0))
    """Time spent in each of TRACED, LOWERED and COMPILED."""
    compiled: set[str] = set()
    """The programs, by name."""
    is_timed: bool = True
    """Whether XLA compiled all of its programs in this run."""
    alike: int = 0
    forms: list[int] = []
    """Hashes of the programs in `seen`, as far as computed."""
    seen: list[jaxpr_lookups.JaxprLookup] = []
    events: list[TraceEvent] = []


class CompilationMeter:
    """Counter of traces and compilations of the user's functions, as a context manager."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code = is_user_code
        self._functions: dict[tuple[str, int], _Function] = {}
        self._bodies: dict[tuple[str, int], _Function] = {}
        self._last_of_name: dict[str, _Function | None] = {}
        self._results: dict[int, object] = {}
        self._objects = jaxpr_lookups.FunctionObjects()
        self.guard = Guard()
        """Guard of the counter: its exceptions do not reach the program."""

    @contextmanager
    def watching(self) -> Iterator[CompilationMeter]:
        """Count in the block. Functions must not have been traced before."""
        jax.monitoring.register_event_duration_secs_listener(self._on_event)
        try:
            with jaxpr_lookups.reporting_lookups(self._on_trace) as self.guard:
                yield self
        finally:
            jax.monitoring.unregister_event_duration_listener(self._on_event)

    def traces(self) -> tuple[FunctionTraces, ...]:
        """Return the counts in the order of the functions' first calls."""
        return _records(self._functions.values())

    def bodies(self) -> tuple[FunctionTraces, ...]:
        """Return the counts for bodies of JAX's loops and branches outside of jit."""
        return _records(self._bodies.values())

    def counts(self, filename: str, line: int) -> tuple[int, int]:
        """Return (traces, compilations) under jit of the function defined there."""
        function = self._functions.get((filename, line))
        return (function.traces, function.compiles) if function is not None else (0, 0)

    def _on_trace(self, asked: jaxpr_lookups.JaxprLookup) -> None:
        # JAX returns the same object for a cached trace. Held, so that its id stays valid.
        if id(asked.result) in self._results:
            return
        self._results[id(asked.result)] = asked.result
        asked = jaxpr_lookups.unwrapped_filter_jit(asked, self._is_user_code)
        if asked.filename.startswith(OUR_FILES):
            # A rewritten program has the name of the user's function, and is compiled instead of it.
            return
        if (
            asked.requested_by == "jit"
            and self._is_user_code(asked.filename)
            and jaxpr_lookups.made_by_jax(asked.function)
        ):
            return
        found = self.whose(asked)
        if found is None:
            if asked.name not in AT_ONCE:
                # The loops of user code are compiled under these names, too.
                self._last_of_name[asked.name] = None
            return
        functions = self._functions if asked.requested_by == "jit" else self._bodies
        function = functions.get(found[1:])
        if function is None:
            function = functions[found[1:]] = _Function(found[0], self._line(*found[1:]), asked.number)
        function.order = min(function.order, asked.number)
        function.traces += 1
        self._last_of_name |= dict.fromkeys([asked.name] if asked.requested_by == "jit" else AT_ONCE, function)
        asked = replace(asked, function=self._objects.number(asked.function))
        reason, sentence = why(asked, function.seen)
        if reason == "new function object":
            # Only then are the programs compared.
            function.forms += [_form(each) for each in function.seen[len(function.forms) :]]
            function.alike += _form(asked) in function.forms
        function.seen.append(asked)
        _add(function.events, TraceEvent(reason, sentence, self._caller()))

    def whose(self, asked: jaxpr_lookups.JaxprLookup) -> tuple[str, str, int] | None:
        """Return (name, file, line) of the traced user function, None for any other.

        A JAX function that wraps a user function, as in pmap and lax.map, counts as the user's.
        """
        if self._is_user_code(asked.filename):
            return asked.name, asked.filename, asked.line
        code = jaxpr_lookups.wrapped_code(asked, self._is_user_code)
        return None if code is None else (code.co_name, code.co_filename, code.co_firstlineno)

    def _on_event(self, event: str, duration_secs: float, **about: str | int) -> None:
        stage = next((each for each in (TRACED, LOWERED, COMPILED) if event.endswith(each)), "")
        if stage:
            self.guard(self._count, stage, duration_secs, about)

    def _count(self, stage: str, duration_secs: float, about: dict[str, str | int]) -> None:
        name = str(about.get("fun_name", "")).removeprefix("jit(").removesuffix(")")
        function = self._last_of_name.get(name)
        if function is not None:
            function.seconds[stage] += duration_secs
            if stage == COMPILED:
                key, was_there = shared_compiles.last()
                # A recording makes JAX compile again for a call what the program has compiled ahead of time.
                is_new = key not in function.compiled or function.compiles < function.traces
                function.compiled |= {key} - {""}
                function.compiles += is_new
                function.is_timed &= not was_there or not is_new

    def _caller(self) -> Span | None:
        """Return the line of user code that runs now, innermost."""
        frame = innermost_frame(sys._getframe(1), self._is_user_code)
        return self._line(frame.f_code.co_filename, frame.f_lineno) if frame is not None else None

    def _line(self, filename: str, line: int) -> Span:
        span = whole_line(filename, line)
        return msgspec.structs.replace(span, file=filename) if isinstance(self._is_user_code, UserFiles) else span


def _records(functions: Iterable[_Function]) -> tuple[FunctionTraces, ...]:
    return tuple(
        FunctionTraces(
            each.name,
            each.span,
            each.traces,
            each.compiles,
            tuple(each.events[:MOST_EVENTS]),
            each.seconds[COMPILED] if each.is_timed else 0.0,
            each.alike,
            each.seconds[TRACED],
            each.seconds[LOWERED],
        )
        for each in sorted(functions, key=lambda each: each.order)
    )


def why(asked: jaxpr_lookups.JaxprLookup, before: list[jaxpr_lookups.JaxprLookup]) -> tuple[TraceReason, Text]:
    """Return the reason why `asked` was traced although the same code was traced `before`, as a word and a sentence.

    `function` is the number of the function object in all of them.
    """
    if not before:
        return "first call", say("It is called for the first time.")
    known = [each for each in before if each.function == asked.function]
    if not known:
        return "new function object", say(
            "It is a new function object, made since the last call: jit keeps its programs with the object."
        )
    alike = [each for each in known if same(each.structure, asked.structure)]
    if not alike:
        return "new structure", say(
            "The arguments have a new structure: other names, other dict keys, another nesting, or other static data."
        )
    closest = min(alike, key=lambda each: _differences(asked, each))
    for name, new, old in zip(asked.names, asked.values, closest.values, strict=False):
        if not same(new, old):
            return _difference(name, new, old)
    return "other", say("The JAX settings around the call differ: a flag, a mesh or a context.")


def _form(asked: jaxpr_lookups.JaxprLookup) -> int:
    result: Any = asked.result
    return form(result[0])


def _differences(asked: jaxpr_lookups.JaxprLookup, other: jaxpr_lookups.JaxprLookup) -> int:
    return sum(not same(new, old) for new, old in zip(asked.values, other.values, strict=False))


_PARTS: dict[str, ChangedPart] = {"shape": "shape", "dtype": "dtype", "weak_type": "weak type"}


def changed(new: Any, old: Any) -> list[ChangedPart]:
    """Return the parts that differ between two types, or static values, of one argument."""
    if isinstance(new, StaticValue) or isinstance(old, StaticValue):
        return [] if same(getattr(new, "value", new), getattr(old, "value", old)) else ["static value"]
    return [part for name, part in _PARTS.items() if getattr(new, name, None) != getattr(old, name, None)]


def _difference(name: str, new: Any, old: Any) -> tuple[TraceReason, Text]:
    part = next(iter(changed(new, old)), "")
    if part == "static value":
        return "new static value", say(
            "{name} is static and has a new value, {value}: it is part of the program.", name=name, value=new.text
        )
    now, then = _short(new), _short(old)
    if part == "shape":
        return "new shape", say("{name} came with a new shape: {now} instead of {then}.", name=name, now=now, then=then)
    if part == "dtype":
        return "new dtype", say("{name} came with a new dtype: {now} instead of {then}.", name=name, now=now, then=then)
    if part == "weak type":
        return "new weak type", say(
            "{name} came as a Python number, {now}, instead of an array."
            if getattr(new, "weak_type", False)
            else "{name} came as an array, {now}, instead of a Python number.",
            name=name,
            now=now,
        )
    return "other", say("{name} came as another type: {now} instead of {then}.", name=name, now=new, then=old)


def _short(aval: Any) -> str:
    return str(aval.str_short(True)) if hasattr(aval, "str_short") else str(aval)


def _add(events: list[TraceEvent], event: TraceEvent) -> None:
    """Add `event`, or count it with the last one if that is equal."""
    last = events[-1] if events else None
    if last is not None and (last.reason, last.span, last.sentence) == (event.reason, event.span, event.sentence):
        events[-1] = TraceEvent(last.reason, last.sentence, last.span, last.count + 1)
    else:
        events.append(event)
