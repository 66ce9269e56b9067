"""Detection of side effects during traces in the shown run of a program, at almost no cost.

The code is not instrumented and nothing is traced again, so it finds less than an inspection.
"""

from __future__ import annotations

import functools
import linecache
import os
import random
import secrets
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType, ModuleType
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from explorer.messages import Finding
from explorer.worker.checks.tracing import object_graph, trace_findings
from explorer.worker.checks.tracing.host_values import host_kind, is_seeder
from explorer.worker.checks.tracing.instrumentation import (
    LeakedTracer,
    ReportingPlace,
    TraceEvents,
    instrumented,
    place_that_sets,
)
from explorer.worker.internals import traces
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.spans import SpanFinder, UserFiles

_MODULES = (random, np.random, secrets, os)
_PYTHONS = (f"{sysconfig.get_path('stdlib')}{os.sep}", "<frozen ")
"""Prefixes of the paths of Python's own modules, whose draws are internal."""


class LiveInspection:
    """Detector for one run, in one stretch or several; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._contains = is_user_code
        self._spans = SpanFinder(is_user_code)
        self._noted: dict[tuple[int, int], TraceEvents] = {}
        self._are_left: list[Callable[[], bool]] = []
        self._seeded: object = None
        """The trace in which a module-level generator was last seeded."""
        self.guard = Guard()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Record draws of Python's and NumPy's random numbers during traces, in the block."""
        with ExitStack() as stack:
            self._are_left.append(stack.enter_context(traces.begun()))
            for module in _MODULES:
                for name, function in list(vars(module).items()):
                    if host_kind(function) == "random" or (is_seeder(function) and name == "seed"):
                        setattr(module, name, self._watched(function))
                        stack.callback(setattr, module, name, function)
            yield

    def findings(self, program: ModuleType) -> tuple[Finding, ...]:
        """Return the findings, including tracers that the names of `program` and of other user modules hold now."""
        return tuple(trace_findings.found(self._noted.values(), (), self._leaks(program), self._contains))

    def _is_user_code(self, file: str) -> bool:
        return not file.startswith(_PYTHONS) and self._contains(file)

    def _watched(self, function: Any) -> Any:
        seeds = is_seeder(function)

        @functools.wraps(function)
        def watched(*arguments: Any, **named: Any) -> Any:
            self.guard(self._called, sys._getframe(1), seeds)
            return function(*arguments, **named)

        return watched

    def _called(self, frame: FrameType, seeds: bool) -> None:
        """Record that the code of `frame` seeds a generator, or draws from one."""
        way = traces.under_way()
        if seeds and way:
            self._seeded = traces.current()
        elif way in ("program", "examples") and self._seeded is not traces.current():
            self._note(frame, way)

    def _note(self, frame: FrameType, way: traces.UnderWay) -> None:
        """Record a draw requested by the code of `frame`, if it is user code."""
        code = frame.f_code
        if not self._is_user_code(code.co_filename):
            return
        key = id(code), frame.f_lasti
        span = self._spans.span(code, frame.f_lasti)
        if key in self._noted:
            self._noted[key].count += 1
        elif span is not None:
            line = linecache.getline(code.co_filename, span.line)
            text = line[span.column : span.end_column if span.end_line == span.line else None].partition("(")[0]
            traced, _ = object_graph.frames_around(frame, self._is_user_code)
            function = traced[-1].f_code.co_name if traced else ""
            self._noted[key] = TraceEvents(ReportingPlace("call", span, text.strip()), "random", function, way)

    def _leaks(self, program: ModuleType) -> list[LeakedTracer]:
        if not any(is_any_left() for is_any_left in self._are_left):
            # A search through all module names takes long.
            return []
        for module in [program, *sys.modules.values()]:
            file = getattr(module, "__file__", None) or "<>"
            if module is program or self._is_user_code(file):
                for name, tracer in object_graph.tracers_in_names(vars(module)):
                    if traces.is_over(tracer):
                        return [LeakedTracer(self._place_in(file, name), name, tracer)]
        return []

    def _place_in(self, file: str, name: str) -> ReportingPlace | None:
        """Return the place where the code of `file` sets `name`, or None if unknown."""
        with suppress(SyntaxError, ValueError, RecursionError):
            place = place_that_sets(name, instrumented("".join(linecache.getlines(file)), file).places)
            if place is not None and isinstance(self._contains, UserFiles):
                return replace(place, span=msgspec.structs.replace(place.span, file=file))
            return place
        return None
