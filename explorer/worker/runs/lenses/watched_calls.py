"""For the calls lens: the calls of jitted functions in a run (`RecordedCalls`): cache key, trace, lines run."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import jax
import msgspec
from msgspec.structs import replace

from explorer.text.text import NOTHING, Text
from explorer.worker.checks.tracing import object_graph
from explorer.worker.errors.failure import failure
from explorer.worker.internals import traces
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.jit.jaxpr_lookups import FunctionObjects, JaxprLookup
from explorer.worker.internals.jit.jit_calls import calls_watched
from explorer.worker.internals.spans import SpanFinder, innermost_frame
from explorer.worker.program import retraces
from explorer.worker.program.equations import type_text
from explorer.worker.runs.lenses import cache_keys
from explorer.worker.runs.lenses.cache_keys import NO_KEY, CacheKey, KeyDifference, KeyedCall, StaleGlobal
from explorer.worker.runs.lenses.traced_lines import LineWatch, TracedLine, TracedLines

MOST_CALLS = 200
"""Largest number of calls reported per variant; the counts include all calls."""
MOST_LEAKS = 5
"""Largest number of leaks reported per call."""


class EscapedTracer(NamedTuple):
    """A tracer that escaped its trace."""

    name: str
    """Its current location: ``history[0]``."""
    type: str
    line: int
    """The line that computed it, 0 for none."""


class LensCall(msgspec.Struct):
    """One call of a jitted function."""

    number: int
    """From 1, in the order in which calls begin."""
    function: str
    line: int = 0
    """The line of the call in user code, 0 for none."""
    inside: int = -1
    """The number of the enclosing call, -1 for none."""
    is_call: bool = True
    """False if the program was requested without running it, as by ``f.lower``."""
    hit: bool = False
    """Whether jit had the program in its cache: then no line of the function runs."""
    asked: CacheKey = NO_KEY
    lines: tuple[int, ...] = ()
    """The user's lines that ran during the lookup, without repetitions, in the order of the code."""
    traced: tuple[TracedLine, ...] = ()
    """The same in execution order."""
    printed: str = ""
    """The output printed during the call, without calls inside it."""
    differs: tuple[KeyDifference, ...] = ()
    """Differences from the nearest cache entry, for a miss; () without an entry."""
    nearest: int = -1
    """Number of the call that made the used or nearest cache entry; 0 for one before the first call, -1 for none."""
    traces: int = 0
    """Number of traces of the function so far, including this call."""
    compiled: bool = False
    """Whether the call compiled anything."""
    sentence: Text = NOTHING
    """The reason of a miss."""
    leaks: tuple[EscapedTracer, ...] = ()
    """The tracers that escaped its trace."""
    stale: tuple[StaleGlobal, ...] = ()
    """The globals that changed since the trace."""
    error: str = ""
    """The exception it raised."""


MOST_SEEN = 2000
"""Number of calls after which jit uses its fast path again, for the sake of long loops; traces are still counted."""
LONGEST_PRINTED = 2000
"""Largest number of printed characters kept per call."""
MOST_COMPARED = 300
"""Number of a function's latest cache entries that a call is compared with."""

Place = tuple[str, str, int]
"""(name, file, line) of a function."""


class _Running(msgspec.Struct):
    """A call that has not ended."""

    call: LensCall
    question: KeyedCall
    steps: TracedLines
    place: Place
    counts: tuple[int, int]
    """Numbers of traces and compilations of the function before, including those of nested calls."""
    is_tracing: bool = True


class RecordedCalls:
    """The calls of a run, as a context manager."""

    def __init__(self, is_user_code: Callable[[str], bool], source: str) -> None:
        self.calls: list[LensCall] = []
        self.count = 0
        self._is_user_code = is_user_code
        self._source = source.splitlines()
        self._meter = retraces.CompilationMeter(is_user_code)
        self._spans = SpanFinder(is_user_code)
        self._lines = LineWatch(is_user_code, lambda: self._stack[-1].steps if self._stack else None)
        self._stack: list[_Running] = []
        self._entries: dict[Place, list[KeyedCall]] = defaultdict(list)
        self._functions = FunctionObjects()
        self._objects: dict[Place, dict[int, int]] = defaultdict(dict)
        """For each function, the indices of its function objects in the order of their first calls."""
        self._traces_before: dict[Place, int] = {}
        self._unreported = 0
        """Number of traces that do not belong to the variant."""
        self._is_heard = False
        self._stop: Callable[[], None] = lambda: None
        self._guard = Guard()
        self.module: Mapping[str, Any] = {}
        """The globals of the program, once it is loaded."""
        self._leaked: list[Any] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch all calls in the block, from the loading of the program on; they are recorded after `tell`."""
        with self._meter.watching(), calls_watched(self) as (self._stop, self._guard):
            yield

    @property
    def error(self) -> BaseException | None:
        """Return the error of the watching itself, which did not reach the program."""
        return self._meter.guard.error or self._guard.error

    def tell(self) -> None:
        """Start to count and record calls."""
        self._is_heard = True
        self._traces_before = {place: self._meter.counts(*place[1:])[0] for place in self._entries}
        self._unreported = self._meter_total()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Skip the calls of the block, which do not belong to the variant."""
        before = self._is_heard, self._meter_total()
        self._is_heard = False
        try:
            yield
        finally:
            self._is_heard = before[0]
            self._unreported += self._meter_total() - before[1]

    @property
    def traces(self) -> int:
        """Number of traces of the user's functions since `tell`."""
        return self._meter_total() - self._unreported

    def _meter_total(self) -> int:
        return sum(each.traces for each in self._meter.traces())

    def wrote(self, text: str) -> None:
        """Record that the program printed `text`."""
        if self._stack:
            running = self._stack[-1]
            running.call.printed += text[: LONGEST_PRINTED - len(running.call.printed)]
            if running.is_tracing:
                running.steps.printed(text)

    # -- events of jit ------------------------------------------------------------------------------------------

    def wants(self, asked: JaxprLookup) -> bool:
        return self._meter.whose(asked) is not None

    def begin(self, asked: JaxprLookup, settings: object, *, is_call: bool) -> None:
        place = self._meter.whose(asked) or ("", "", 0)
        if self._is_heard:
            self.count += 1
            if self.count == MOST_SEEN:
                self._stop()
        asked = replace(asked, function=self._functions.number(asked.function))
        steps = TracedLines(self._source)
        number = self.count if self._is_heard else 0
        question = KeyedCall(asked, settings, number, self._object(place, asked.function), steps.read)
        inside = self._stack[-1].question.number if self._stack else -1
        call = LensCall(question.number, place[0], self._caller(), inside, is_call)
        self._stack.append(_Running(call, question, steps, place, self._meter.counts(*place[1:])))
        self._lines.begin()

    def found(self) -> None:
        self._lines.end()
        self._stack[-1].is_tracing = False
        self._looked(self._stack[-1], has_program=True)

    def end(self, error: BaseException | None) -> None:
        running = self._stack[-1]
        if running.is_tracing:
            self._lines.end()
            self._looked(running, has_program=False)
        self._stack.pop()
        if not self._is_heard or len(self.calls) >= MOST_CALLS:
            return
        call = running.call
        call.compiled = self._meter.counts(*running.place[1:])[1] > running.counts[1]
        call.error = str(failure(error, self._is_user_code).words) if error is not None else ""
        call.leaks = self._new_leaks() if not self._stack and not call.hit else ()
        self.calls.append(call)

    def _looked(self, running: _Running, *, has_program: bool) -> None:
        """Record jit's result for a call: a program, or an error."""
        call, question, place = running.call, running.question, running.place
        traces, _ = self._meter.counts(*place[1:])
        own = traces - running.counts[0]
        for around in self._stack[:-1]:
            if around.place == place:
                around.counts = around.counts[0] + own, around.counts[1]
        entries = self._entries[place]
        near, differs = cache_keys.nearest(question, entries[-MOST_COMPARED:])
        call.hit = has_program and own == 0
        call.differs = differs if has_program and not call.hit else ()
        if has_program and not call.hit:
            call.sentence = retraces.why(question.asked, [each.asked for each in entries[-MOST_COMPARED:]])[1]
            entries.append(question)
        used = near.read if call.hit and near is not None else question.read
        if len(self._stack) > 1:
            self._stack[-2].steps.read.add(used)
        call.asked = cache_keys.shown_key(question, call.differs)
        call.lines, call.traced = tuple(sorted(running.steps.lines)), tuple(running.steps.known.values())
        call.nearest = near.number if near is not None else -1
        call.traces = traces - self._traces_before.get(place, 0)
        call.stale = used.stale(self.module) if call.hit else ()

    def _new_leaks(self) -> tuple[EscapedTracer, ...]:
        """Return the tracers in the program's globals whose traces are over, without those returned before."""
        found: list[EscapedTracer] = []
        for path, tracer in object_graph.tracers_in_names(dict(self.module)):
            if len(found) == MOST_LEAKS:
                break
            if traces.is_over(tracer) and not any(each is tracer for each in self._leaked):
                self._leaked.append(tracer)
                made = self._spans.innermost(traces.made_at(tracer))
                found.append(EscapedTracer(path, type_text(jax.typeof(tracer)), made.line if made else 0))
        return tuple(found)

    # -- identities ---------------------------------------------------------------------------------------------

    def _object(self, place: Place, number: int) -> int:
        known = self._objects[place]
        return known.setdefault(number, len(known) + 1)

    def _caller(self) -> int:
        """Return the line in user code that makes the call, 0 for none."""
        frame = innermost_frame(sys._getframe(1), self._is_user_code)
        span = self._spans.span(frame.f_code, frame.f_lasti) if frame is not None else None
        return span.line if span else 0
