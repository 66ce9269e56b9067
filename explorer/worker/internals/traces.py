"""Which traces are under way, each function that is traced, and the same trace once more."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from jax._src import api, core, dtypes, pjit
from jax._src.interpreters import batching, partial_eval
from jax.extend.core import ClosedJaxpr

from explorer.worker.internals import dispatch
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.spans import Position

UnderWay = Literal["", "program", "examples", "derivative"]
"""What Python runs for just now: for itself, for a program that is being made, or for a vmap or a derivative that
carries out each operation at once."""
MAKES_PROGRAMS = (__file__, partial_eval.__file__)
"""Files one of which has a frame between code of which a program is made and what asked for it."""
TRANSFORMS = api.__file__
"""The file that has a frame between code that a vmap or a derivative runs and what called that."""
MOST_COPIED = 1 << 26
"""Bytes of one of NumPy's arrays."""


def under_way() -> UnderWay:
    """Return what the code that runs in this thread is traced for."""
    trace: Any = core.trace_ctx.trace
    if trace is core.eval_trace:
        return ""
    found: UnderWay = "derivative"
    while trace is not None and trace is not core.eval_trace:
        if isinstance(trace, partial_eval.DynamicJaxprTrace):
            return "program"
        if isinstance(trace, batching.BatchTrace):
            found = "examples"
        trace = getattr(trace, "parent_trace", None)
    return found


def current() -> object:
    """Return the trace under way in this thread."""
    return core.trace_ctx.trace


def is_over(tracer: Any) -> bool:
    """Return whether the trace of `tracer` is none of those under way in this thread."""
    trace: Any = core.trace_ctx.trace
    while trace is not None:
        if tracer._trace is trace:
            return False
        trace = getattr(trace, "parent_trace", None)
    return True


@contextmanager
def begun() -> Iterator[Callable[[], bool]]:
    """Yield what tells whether any trace that began in the block is there still: only then a tracer can be.

    Where this version of JAX begins them elsewhere it says yes.
    """
    module: Any = core
    genuine = getattr(module, "set_current_trace", None)
    seen: dict[int, Callable[[], Any]] = {}
    if genuine is None:
        yield lambda: True
        return

    def set_current_trace(trace: Any, *rest: Any, **options: Any) -> Any:
        if trace is not None and trace is not core.eval_trace:
            try:
                seen[id(trace)] = weakref.ref(trace)
            except TypeError:
                # Of one that cannot be asked no one knows.
                seen[id(trace)] = lambda: trace
        return genuine(trace, *rest, **options)

    module.set_current_trace = set_current_trace
    try:
        yield lambda: any(each() is not None for each in list(seen.values()))
    finally:
        if module.set_current_trace is set_current_trace:
            module.set_current_trace = genuine


def made_at(tracer: Any) -> list[Position]:
    """Return where `tracer` was computed, innermost first; nothing where that is not known."""
    source: Any = getattr(tracer, "_line_info", None)
    traceback = source.traceback if source is not None else None
    return list(zip(*traceback.raw_frames(), strict=True)) if traceback is not None else []


@dataclass(frozen=True)
class Traced:
    """A function for whose jaxpr someone asks."""

    name: str
    filename: str
    """Where it is defined; empty where that is not known."""
    line: int
    again: Callable[[], ClosedJaxpr]
    """Traces it once more, at once, and returns what that gives. Raises what it raises."""
    function: Any


class Watch(Protocol):
    """Who wants to know of traces."""

    def begin(self, traced: Traced) -> None:
        """Take down that what is traced from now on is `traced`, unless its jaxpr is known already."""

    def end(self, jaxpr: ClosedJaxpr | None) -> None:
        """Take down that it gave `jaxpr`, the same object as the last time where it is known; None if it raised."""


@contextmanager
def watching(watch: Watch) -> Iterator[Guard]:
    """Tell `watch` of all functions that are traced to jaxprs in this thread in the block.

    What that raises does not reach the program: the guard that is yielded has it, and nothing more is reported.
    """
    module: Any = partial_eval
    genuine = module.trace_to_jaxpr
    # In JAX 0.10 there is the cached one alone: what comes behind is part of the cache's key there, and nothing else.
    anew = getattr(module, "trace_to_jaxpr_nocache", None) or _by_another_key(genuine)
    thread, guard = threading.get_ident(), Guard()

    def trace_to_jaxpr(function: Any, types: Any, about: Any, *rest: Any, **options: Any) -> Any:
        if threading.get_ident() != thread:
            return genuine(function, types, about, *rest, **options)

        def again() -> ClosedJaxpr:
            in_use, module.trace_to_jaxpr = module.trace_to_jaxpr, genuine
            try:
                jaxpr, _ = anew(function, types, about, *rest, **options)
            finally:
                module.trace_to_jaxpr = in_use
            return jaxpr  # type: ignore[no-any-return]

        traced = Traced(about.func_name, about.func_filename or "", about.func_lineno or 0, again, function)
        guard(watch.begin, traced)
        jaxpr = None
        try:
            result = genuine(function, types, about, *rest, **options)
            jaxpr = result[0]
        finally:
            guard(watch.end, jaxpr)
        return result

    for attribute in ("evict_weakref", "cache_clear", "evict_function"):
        if hasattr(genuine, attribute):
            setattr(trace_to_jaxpr, attribute, getattr(genuine, attribute))
    module.trace_to_jaxpr = trace_to_jaxpr
    try:
        with _own_copies():
            yield guard
    finally:
        module.trace_to_jaxpr = genuine


def _by_another_key(cached: Any) -> Any:
    return lambda *given, **options: cached(*given, object(), **options)


@contextmanager
def _own_copies() -> Iterator[None]:
    """Let programs that are traced in the block have copies of NumPy's arrays, which stay as they are.

    JAX takes the array itself where it can, and else makes one copy of it for as long as both are in use.
    """
    module: Any = dtypes
    genuine = module.canonicalize_value

    def canonicalize_value(value: Any) -> Any:
        if type(value) is np.ndarray and value.nbytes <= MOST_COPIED and core.trace_ctx.trace is not core.eval_trace:
            value = value.copy()
        return genuine(value)

    module.canonicalize_value = canonicalize_value
    try:
        yield
    finally:
        module.canonicalize_value = genuine


def ask_again() -> None:
    """Let jit ask once more for the jaxprs of all functions when they are called; none is traced or compiled anew."""
    forget = getattr(getattr(pjit, "_infer_params_cached", None), "cache_clear", None)
    if forget is not None:
        forget()
    dispatch.forget_fast_ways()
