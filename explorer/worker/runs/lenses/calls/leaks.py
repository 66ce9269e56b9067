"""Tracers that escaped their trace and are reachable by the program."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any

import jax

from explorer.messages.lenses.calls import Leak
from explorer.worker.checks.tracing import object_graph
from explorer.worker.internals import traces
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.program.equations import type_text

MOST_LEAKS = 5
"""Largest number of leaks reported per call."""


class Leaks:
    """Search of a module's names for tracers that were not there before."""

    def __init__(self, spans: SpanFinder) -> None:
        self._spans = spans
        self._known: list[Any] = []

    def found(self, module: Mapping[str, Any]) -> tuple[Leak, ...]:
        """Return the tracers in `module` whose traces are over, without those returned before."""
        names = {name: value for name, value in module.items() if not name.startswith("__")}
        found: list[Leak] = []
        for path, tracer in object_graph.tracers_in(types.SimpleNamespace(**names), "", but=()):
            if len(found) == MOST_LEAKS:
                break
            if traces.is_over(tracer) and not any(each is tracer for each in self._known):
                self._known.append(tracer)
                made = self._spans.innermost(traces.made_at(tracer))
                found.append(Leak(path.removeprefix("."), type_text(jax.typeof(tracer)), made.line if made else 0))
        return tuple(found)
