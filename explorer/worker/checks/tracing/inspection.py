"""Detection of side effects in a hidden run of instrumented code, which may repeat its traces."""

from __future__ import annotations

import inspect
import itertools
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

import jax
import msgspec
from jax.extend.core import ClosedJaxpr

from explorer.messages import LEVELS, Finding
from explorer.worker.checks.tracing import object_graph, trace_findings
from explorer.worker.checks.tracing.host_values import HostKind, as_if_later, generator_of, host_kind, is_seeder
from explorer.worker.checks.tracing.instrumentation import (
    CALLED,
    WROTE,
    InstrumentedProgram,
    LeakedTracer,
    ReportingPlace,
    StaleState,
    TraceEvents,
    instrumented,
    place_that_sets,
)
from explorer.worker.internals import traces
from explorer.worker.internals.same_programs import same_program

MOST_LOOKS = 3
"""Limit on repeated traces of one function after changes, and on changes at one place that cause them."""
DRAWS = 4
"""Number of repeated traces of a function that draws: it may branch on a coin toss."""
MOST_DRAWS, LONGEST_DRAWS_S = 48, 0.1
"""Limits for fast functions, so that the coin does not always show one side."""


_TRACING = re.compile(
    r"\b(\w*jit|vmap|pmap|shard_map|grad|value_and_grad|jac\w+|hessian|jvp|vjp|linearize|vectorize|map)\b"
    r"|\b(scan|while_loop|fori_loop|cond|switch|checkpoint|remat|make_jaxpr|eval_shape|custom_\w+)\b"
)


def may_tell(source: str, filename: str, *, traced: bool = False) -> bool:
    """Return whether `source` has a place with a possible side effect, and traces something if it is not `traced`."""
    return (traced or _TRACING.search(source) is not None) and bool(instrumented(source, filename).places)


def _tosses() -> Iterator[int]:
    """Yield once for each repeated trace of a function that draws."""
    start = time.perf_counter()
    yield from range(DRAWS)
    yield from itertools.takewhile(lambda _: time.perf_counter() - start < LONGEST_DRAWS_S, range(DRAWS, MOST_DRAWS))


class _Frame(msgspec.Struct):
    """A function under trace."""

    traced: traces.TracedFunction
    noted: dict[int, TraceEvents] = {}
    drawn: dict[HostKind, list[Any]] = {}
    """Values read in it and in its callees, in the order of the trace."""
    copies: dict[int, tuple[int, Any]] = {}
    """By its id, each argument that is changed, which JAX has copied, with the first place that changes it."""


class _Program(msgspec.Struct):
    """A jaxpr in use."""

    jaxpr: ClosedJaxpr
    drawn: dict[HostKind, list[Any]]
    """Values read during its trace."""
    changes: int
    """Number of changes seen so far."""
    looks: int = 0


class Inspection:
    """Inspection of one run of a program, which must be loaded with ``compiled`` while it is watched."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code = is_user_code
        self._program = InstrumentedProgram(compile("", "", "exec"), (), frozenset())
        self._module: dict[str, Any] = {}
        self._thread = threading.get_ident()
        self._frames: list[_Frame] = []
        self._noted: dict[tuple[int, traces.UnderWay], TraceEvents] = {}
        self._stale: dict[tuple[str, int], StaleState] = {}
        self._leaks: dict[str, LeakedTracer] = {}
        self._left: list[tuple[ReportingPlace, Any]] = []
        """Objects changed during traces, which may hold tracers."""
        self._programs: dict[int, _Program] = {}
        self._changes: list[ReportingPlace] = []
        self._asked = 0
        """Number of changes at the last reset of jit's caches."""
        self._changed: Counter[ReportingPlace] = Counter()
        self._seeded: list[tuple[object, _Frame | None]] = []
        """Generators seeded during a trace, with that trace."""
        self._again: dict[HostKind, Iterator[Any]] | None = None
        """During a repeated trace: the values to replay, by kind."""

    def compiled(self, source: str, filename: str, namespace: dict[str, Any]) -> CodeType:
        """Return the instrumented code of `source`, which will run in `namespace`."""
        self._program = instrumented(source, filename)
        namespace[WROTE], namespace[CALLED] = self._wrote, self._called
        self._module = namespace
        return self._program.code

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Record side effects in the block, from the loading of the program on. Raises our own errors at its end."""
        with traces.watching(self) as guard:
            yield
        guard.raise_stored()
        self._look_for_tracers()

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings, most severe first."""
        self._look_everywhere()
        left = {each.place for each in self._leaks.values()}
        noted = [each for each in self._noted.values() if each.kind is not None or each.place not in left]
        found = trace_findings.found(noted, self._stale.values(), self._leaks.values(), self._is_user_code)
        # Two calls of one line are one mistake.
        once = {(each.kind, each.message): each for each in found}
        return tuple(sorted(once.values(), key=lambda each: LEVELS.index(each.level)))

    # -- reports of the program ----------------------------------------------------------------

    def _wrote(self, number: int, given: Any = None, result: Any = None) -> Any:
        """Record a change at place `number` of `given`, and return `result`."""
        # XLA may run callbacks in another thread.
        if self._again is None and threading.get_ident() == self._thread:
            place = self._program.places[number]
            way, is_read = traces.under_way(), place.base in self._program.read
            if self._programs and self._changed[place] < MOST_LOOKS and (place.is_argument or is_read):
                self._on_change(place)
            if way and place.kind != "bound":
                self._on_write(number, place, way, given)
            elif self._left and not way:
                self._look_for_tracers()
        return result

    def _on_change(self, place: ReportingPlace) -> None:
        self._changed[place] += 1
        self._changes.append(place)
        self._ask_again()

    def _ask_again(self) -> None:
        if not self._frames and self._asked < len(self._changes):
            self._asked = len(self._changes)
            traces.ask_again()

    def _on_write(self, number: int, place: ReportingPlace, way: traces.UnderWay, given: Any) -> None:
        frame = self._frames[-1] if self._frames else None
        key = number, way
        known = frame.noted.get(number) if frame is not None else self._noted.get(key)
        if known is not None:
            known.count += 1
            return
        holder = given if place.kind == "rebound" else _value_at(place, given)
        if holder is None or not self._is_from_outside(place, holder):
            if frame is not None and place.is_argument and id(given) not in frame.copies and self._is_passed(given):
                frame.copies[id(given)] = number, given
            return
        self._left.append((place, holder))
        noted = TraceEvents(place, None, frame.traced.name if frame else "", way, holder=holder)
        if frame is not None:
            frame.noted[number] = noted
        elif way == "program":
            self._noted[key] = noted

    def _is_passed(self, changed: Any) -> bool:
        """Return whether `changed` is an argument of the traced function, or part of one."""
        traced, _ = object_graph.frames_around(sys._getframe(3), self._is_user_code)
        names = inspect.getargs(traced[-1].f_code) if traced else ()
        return object_graph.holds([traced[-1].f_locals.get(name) for name in itertools.chain(*names[:1])], changed)

    def _is_from_outside(self, place: ReportingPlace, holder: Any) -> bool:
        """Return whether the object changed at `place` existed before the trace."""
        if place.is_global:
            return True
        traced, around = object_graph.frames_around(sys._getframe(3), self._is_user_code)
        if place.owner[0]:
            return all((each.f_code.co_name, each.f_code.co_firstlineno) != place.owner for each in traced)
        frame = self._frames[-1] if self._frames else None
        function = [frame.traced.function] if frame is not None else []
        known = [value for each in around for value in each.f_locals.values()]
        return place.kind != "rebound" and object_graph.holds([*known, *function, self._module], holder)

    def _called(self, number: int, function: Any) -> Any:
        """Return the function to call instead of `function`, at place `number`."""
        if self._again is None and not traces.under_way():
            return function
        if is_seeder(function):
            return self._seeding(function)
        if function is print and self._frames and self._again is None:
            frame = self._frames[-1]
            frame.noted.setdefault(
                number, TraceEvents(self._program.places[number], "print", frame.traced.name, "program")
            )
        kind = host_kind(function)
        if kind is None or self._is_seeded(generator_of(function)):
            return function
        if self._again is not None:
            again = self._again.get(kind)
            if again is not None:
                return _reader(again, function)
            return as_if_later(function) if kind == "clock" else function
        return self._reading(number, kind, function)

    def _seeding(self, function: Any) -> Any:
        def seed(*arguments: Any, **named: Any) -> Any:
            made = function(*arguments, **named)
            if arguments or named:
                # Its draws are reproducible, in a trace or not.
                self._seeded.append((generator_of(function) or made, self._frames[-1] if self._frames else None))
            return made

        return seed

    def _is_seeded(self, generator: object) -> bool:
        """Return whether `generator` was seeded in a running trace, so that its draws are reproducible."""
        frames: list[_Frame | None] = [*self._frames] or [None]
        return any(each is generator and any(frame is known for known in frames) for each, frame in self._seeded)

    def _reading(self, number: int, kind: HostKind, function: Any) -> Any:
        def read(*arguments: Any, **named: Any) -> Any:
            value = function(*arguments, **named)
            way = traces.under_way()
            frame = self._frames[-1] if self._frames else None
            for each in self._frames:
                each.drawn.setdefault(kind, []).append(value)
            noted = frame.noted if frame is not None else self._noted
            key: Any = number if frame is not None else (number, way)
            if key in noted:
                noted[key].count += 1
            elif frame is not None or (way == "program" or (way == "examples" and kind == "random")):
                name = frame.traced.name if frame is not None else ""
                noted[key] = TraceEvents(self._program.places[number], kind, name, way)
            return value

        return read

    # -- traces -------------------------------------------------------------------------------

    def begin(self, traced: traces.TracedFunction) -> None:
        self._frames.append(_Frame(traced))

    def end(self, jaxpr: ClosedJaxpr | None) -> None:
        frame = self._frames.pop()
        if self._left:
            self._look_for_tracers()
        if jaxpr is not None:
            if frame.noted:
                self._judge(frame, jaxpr)
            for number, changed in frame.copies.values():
                if any(isinstance(each, jax.core.Tracer) and traces.is_lost(each, jaxpr) for each in _leaves(changed)):
                    place, name = self._program.places[number], frame.traced.name
                    self._noted[number, "program"] = TraceEvents(place, None, name, "program", is_lost=True)
            if not frame.traced.filename or self._is_user_code(frame.traced.filename):
                self._compare(frame, jaxpr)
        self._ask_again()

    def _judge(self, frame: _Frame, jaxpr: ClosedJaxpr) -> None:
        """Keep the notes of `frame`, with whether the program depends on each."""
        kinds = {each.kind for each in frame.noted.values()}
        reaches = {kind: self._differs(frame, jaxpr, kind) for kind in kinds if kind != "print"}
        for number, each in frame.noted.items():
            each.reaches = reaches[each.kind] if each.kind != "print" else False
            if each.kind is None and each.reaches and not self._may_matter(each.place, frame):
                each.reaches = False
            elif each.kind is None and each.reaches is False:
                each.reaches = self._counts(each, frame, jaxpr)
            known = self._noted.setdefault((number, each.way), each)
            if known is not each:
                known.count += each.count
                known.reaches = known.reaches or each.reaches

    def _counts(self, noted: TraceEvents, frame: _Frame, jaxpr: ClosedJaxpr) -> bool:
        """Return whether another value of the counter in `noted` gives another program, as it will one day."""
        for number in object_graph.OTHER_COUNTS if noted.place.base in self._program.read else ():
            with object_graph.set_to(number, noted.place, noted.holder, self._module) as is_counter:
                if is_counter and self._differs(frame, jaxpr, None):
                    return True
        return False

    def _may_matter(self, place: ReportingPlace, frame: _Frame) -> bool:
        """Return whether `place` may be the cause of a different program: something reads it, or nothing reads any."""
        places = [each.place for each in frame.noted.values() if each.kind is None]
        return place.base in self._program.read or not any(each.base in self._program.read for each in places)

    def _differs(self, frame: _Frame, jaxpr: ClosedJaxpr, kind: HostKind | None) -> bool | None:
        """Return whether a repeated trace that replays all reads except `kind` differs; None if it fails."""
        try:
            drawn = {each: values for each, values in frame.drawn.items() if each != kind}
            return any(
                not same_program(jaxpr, self._traced_again(frame.traced, drawn))
                for _ in (_tosses() if kind == "random" else range(1))
            )
        except Exception:  # a second trace may fail in any way: the program was not written for it
            return None

    def _traced_again(self, traced: traces.TracedFunction, drawn: dict[HostKind, list[Any]]) -> ClosedJaxpr:
        """Return the jaxpr of a repeated trace that replays the values `drawn`. Raises the trace's exceptions."""
        before, self._again = self._again, {kind: iter(values) for kind, values in drawn.items()}
        try:
            return traced.again()
        finally:
            self._again = before

    def _compare(self, frame: _Frame, jaxpr: ClosedJaxpr) -> None:
        """Check whether `jaxpr`, if it comes from JAX's cache, is still the result of its function."""
        known = self._programs.get(id(jaxpr))
        if known is None:
            # A function that changes itself, and differs each time, is not compared again.
            varies = any(each.kind is None and each.reaches is not False for each in frame.noted.values())
            looks = MOST_LOOKS if varies else 0
            # Held, so that the id stays valid.
            self._programs[id(jaxpr)] = _Program(jaxpr, frame.drawn, len(self._changes), looks)
            return
        changes, known.changes = self._changes[known.changes :], len(self._changes)
        if not changes or known.looks == MOST_LOOKS:
            return
        known.looks += 1
        try:
            now, once_more = (self._traced_again(frame.traced, known.drawn) for _ in range(2))
            if same_program(jaxpr, now) or not same_program(now, once_more):
                return
        except Exception:  # it can no longer be traced
            return
        places = tuple(dict.fromkeys(changes))
        read = self._read_by(frame.traced.function, places)
        traced = frame.traced
        self._stale.setdefault(
            (traced.filename, traced.line), StaleState(read, traced.name, traced.filename, traced.line)
        )

    def _read_by(self, function: Any, places: tuple[ReportingPlace, ...]) -> tuple[ReportingPlace, ...]:
        """Return those of `places` whose names `function` reads, or all of them if there are none."""
        names = _names_in(function, self._module)
        return tuple(each for each in places if each.base in names) or places

    # -- tracers ------------------------------------------------------------------------------

    def _look_for_tracers(self) -> None:
        """Record the tracers that changes left behind; changes outside of traces are checked only once."""
        left = self._left
        self._left = left if traces.under_way() else []
        for place, holder in left:
            name, tracer = next(iter(_left_in(place, holder)), ("", None))
            if tracer is not None and all(each.place is not place for each in self._leaks.values()):
                self._leaks[name] = LeakedTracer(place, name, tracer, holder)

    def _look_everywhere(self) -> None:
        """Record one unreported tracer reachable from the module's names."""
        own = [each.holder for each in self._leaks.values()]
        # Names of the module itself are identified by their values.
        own += [each.tracer for each in self._leaks.values()]
        for name, tracer in object_graph.tracers_in_names(self._module, own):
            place = place_that_sets(name, self._program.places)
            if all(name != each.name and (place is None or place != each.place) for each in self._leaks.values()):
                self._leaks[name] = LeakedTracer(place, name, tracer)
                break


def _reader(values: Iterator[Any], function: Any) -> Any:
    """Return a function that returns the `values` in turn, and then the results of `function`."""

    def read(*arguments: Any, **named: Any) -> Any:
        for value in values:
            return value
        return function(*arguments, **named)

    return read


def _leaves(value: Any) -> list[Any]:
    try:
        return jax.tree.leaves(value)
    except Exception:  # user code answers here
        return []


def _value_at(place: ReportingPlace, root: Any) -> Any:
    """Return the object that `place` changes, or None if it is gone or immutable."""
    try:
        for each in place.steps:
            root = object_graph.step(root, each)
    except Exception:  # user code answers here
        return None
    return root if place.kind == "part" or object_graph.is_changeable(root) else None


def _left_in(place: ReportingPlace, holder: Any) -> Iterator[tuple[str, Any]]:
    """Yield (name, tracer) for each tracer that the change at `place` left behind."""
    value = object_graph.value_at(place, holder) if place.leaf or place.kind == "rebound" else holder
    for name, tracer in object_graph.tracers_in(value, place.text):
        if traces.is_over(tracer):
            yield name, tracer


def _names_in(function: Any, module: dict[str, Any], depth: int = 4) -> set[str]:
    """Return the names in the code of `function` and of its callees in `module`, up to `depth` calls deep."""
    while hasattr(function, "__wrapped__") or hasattr(function, "func"):
        function = getattr(function, "__wrapped__", None) or function.func
    code = getattr(function, "__code__", None)
    if code is None or not depth:
        return set()
    found: set[str] = set()
    waiting = [code]
    while waiting:
        each = waiting.pop()
        found |= {*each.co_names, *each.co_freevars}
        waiting += [constant for constant in each.co_consts if isinstance(constant, CodeType)]
    for name in list(found):
        called = module.get(name)
        if callable(called) and called is not function:
            found |= _names_in(called, module, depth - 1)
    return found
