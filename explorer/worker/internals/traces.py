"""Watches each function that is traced; the state of the running traces, and how to repeat one."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, Protocol

import msgspec
import numpy as np
from jax._src import api, core, dtypes, pjit
from jax._src.interpreters import batching, partial_eval
from jax.extend.core import ClosedJaxpr

from explorer.worker.internals import dispatch
from explorer.worker.internals.guard import Guard, replaced
from explorer.worker.internals.spans import Position

UnderWay = Literal["", "program", "examples", "derivative"]
"""Purpose of the running Python code: ordinary execution, a jaxpr, a vmap, or a derivative.

The latter two run each operation at once.
"""
MAKES_PROGRAMS = (__file__, partial_eval.__file__)
"""Files with a frame between traced code and its caller."""
TRANSFORMS = api.__file__
"""The file with a frame between code under a vmap or a derivative and its caller."""
MOST_COPIED = 1 << 26
"""Largest NumPy array to copy, in bytes."""


def under_way() -> UnderWay:
    """Return the purpose for which this thread's code currently runs."""
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
    return core.trace_ctx.trace


def is_over(tracer: Any) -> bool:
    """Return whether the trace of `tracer` has ended in this thread."""
    trace: Any = core.trace_ctx.trace
    while trace is not None:
        if tracer._trace is trace:
            return False
        trace = getattr(trace, "parent_trace", None)
    return True


@contextmanager
def begun() -> Iterator[Callable[[], bool]]:
    """Yield a predicate: whether any trace that began in the block is still alive, so that a tracer can be."""
    genuine: Any = core.set_current_trace
    seen: dict[int, Callable[[], Any]] = {}

    def set_current_trace(trace: Any, *rest: Any, **options: Any) -> Any:
        if trace is not None and trace is not core.eval_trace:
            try:
                seen[id(trace)] = weakref.ref(trace)
            except TypeError:
                # Without weak references, it counts as alive.
                seen[id(trace)] = lambda: trace
        return genuine(trace, *rest, **options)

    with replaced(core, "set_current_trace", set_current_trace):
        yield lambda: any(each() is not None for each in list(seen.values()))


def is_lost(tracer: Any, jaxpr: ClosedJaxpr) -> bool:
    """Return whether an operation of `jaxpr` computes `tracer`, and no output depends on it."""
    variable, is_computed = getattr(tracer, "val", None), False
    needed = {id(each) for each in jaxpr.jaxpr.outvars}
    for equation in reversed(jaxpr.jaxpr.eqns):
        is_computed |= any(each is variable for each in equation.outvars)
        if equation.effects or any(id(each) in needed for each in equation.outvars):
            needed.update(map(id, equation.invars))
    return is_computed and id(variable) not in needed


def made_at(tracer: Any) -> list[Position]:
    """Return the positions that computed `tracer`, innermost first; empty if unknown."""
    source: Any = getattr(tracer, "_line_info", None)
    traceback = source.traceback if source is not None else None
    return list(zip(*traceback.raw_frames(), strict=True)) if traceback is not None else []


class TracedFunction(msgspec.Struct, frozen=True):
    """A function whose jaxpr is requested."""

    name: str
    filename: str
    """The file that defines it; empty if unknown."""
    line: int
    again: Callable[[], ClosedJaxpr]
    """Trace the function once more and return its jaxpr. Raises the exceptions of that function."""
    function: Any


class TraceObserver(Protocol):
    """Observer of traces."""

    def begin(self, traced: TracedFunction) -> None:
        """Record the request for the jaxpr of `traced`, new or cached."""

    def end(self, jaxpr: ClosedJaxpr | None) -> None:
        """Record its `jaxpr`, identical to the last one if cached; None after an exception."""


@contextmanager
def watching(watch: TraceObserver) -> Iterator[Guard]:
    """Report all functions that this thread traces to jaxprs in the block to `watch`.

    Exceptions of `watch` do not reach the program: the yielded guard keeps the first one, and reports stop.
    """
    module: Any = partial_eval
    genuine = module.trace_to_jaxpr
    # JAX 0.10 has only the cached function; an additional argument changes just its cache key.
    anew = getattr(module, "trace_to_jaxpr_nocache", None) or _by_another_key(genuine)
    thread, guard = threading.get_ident(), Guard()

    def trace_to_jaxpr(function: Any, types: Any, debug_info: Any, *rest: Any, **options: Any) -> Any:
        if threading.get_ident() != thread:
            return genuine(function, types, debug_info, *rest, **options)

        def again() -> ClosedJaxpr:
            with replaced(module, "trace_to_jaxpr", genuine):
                jaxpr, _ = anew(function, types, debug_info, *rest, **options)
            return jaxpr  # type: ignore[no-any-return]

        traced = TracedFunction(
            debug_info.func_name, debug_info.func_filename or "", debug_info.func_lineno or 0, again, function
        )
        guard(watch.begin, traced)
        jaxpr = None
        try:
            result = genuine(function, types, debug_info, *rest, **options)
            jaxpr = result[0]
        finally:
            guard(watch.end, jaxpr)
        return result

    trace_to_jaxpr.evict_weakref = genuine.evict_weakref  # type: ignore[attr-defined]
    with replaced(module, "trace_to_jaxpr", trace_to_jaxpr), _own_copies():
        yield guard


def _by_another_key(cached: Any) -> Any:
    return lambda *given, **options: cached(*given, object(), **options)


@contextmanager
def _own_copies() -> Iterator[None]:
    """Give programs traced in the block their own copies of NumPy arrays, which later changes do not reach.

    JAX may alias the array itself (https://github.com/jax-ml/jax/issues/37830), and otherwise copies it once.
    """
    genuine: Any = dtypes.canonicalize_value

    def canonicalize_value(value: Any) -> Any:
        if type(value) is np.ndarray and value.nbytes <= MOST_COPIED and core.trace_ctx.trace is not core.eval_trace:
            value = value.copy()
        return genuine(value)

    with replaced(dtypes, "canonicalize_value", canonicalize_value):
        yield


_PJIT: Any = pjit


def ask_again() -> None:
    """Make jit request all jaxprs anew at the next calls; JAX's caches avoid new traces and compilations."""
    _PJIT._infer_params_cached.cache_clear()
    dispatch.forget_fast_ways()
