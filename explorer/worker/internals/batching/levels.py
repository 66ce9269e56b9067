"""The vmaps around a running line and those that map a value; calls of jaxprs under vmap; traces outside caches."""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial, wraps
from types import FrameType
from typing import Any, NamedTuple

from jax._src import config, core, pjit, traceback_util
from jax._src.interpreters import batching, partial_eval
from jax.extend.core import Var, jaxprs_in_params

from explorer.worker.internals import dispatch
from explorer.worker.internals.guard import replaced
from explorer.worker.internals.patches import VMAP
from explorer.worker.internals.sources import JAX_FILES

Genuine = Callable[..., Any]


@contextmanager
def instead(place: Any, name: str, part: Genuine) -> Iterator[None]:
    """Replace the attribute `name` of `place` by `part` for this thread in the block; `part` receives it first."""
    genuine, thread = getattr(place, name), threading.get_ident()

    @wraps(genuine)
    def ours(*arguments: Any, **named: Any) -> Any:
        if threading.get_ident() != thread:
            return genuine(*arguments, **named)
        return part(genuine, *arguments, **named)

    with replaced(place, name, ours):
        yield


class IsolatedTraces:
    """A falsy value of the flag ``jax_debug_key_reuse`` that is distinct from False.

    JAX caches traces and batched jaxprs, and a cache hit shows nothing. It keeps separate caches for each value of
    certain flags, so under each instance everything is traced anew once.
    """

    def __bool__(self) -> bool:
        return False

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Set the flag to this value for this thread in the block."""
        flag: Any = config.debug_key_reuse
        self._saved = flag.swap_local(self)
        try:
            yield
        finally:
            flag.set_local(self._saved)

    @contextmanager
    def of_user_code(self) -> Iterator[None]:
        """Set the flag in the block, except for JAX's own jitted functions: its caches have many, without user code."""

        def infer(genuine: Genuine, function: Any, *rest: Any, **named: Any) -> Any:
            code = getattr(inspect.unwrap(function), "__code__", None)
            if code is None or not code.co_filename.startswith(JAX_FILES):
                return genuine(function, *rest, **named)
            with self.lifted():
                return genuine(function, *rest, **named)

        with self.in_force(), instead(pjit, "_infer_params", infer):
            yield

    @contextmanager
    def lifted(self) -> Iterator[None]:
        """Restore the flag's previous value in the block."""
        flag: Any = config.debug_key_reuse
        now = flag.swap_local(self._saved)
        try:
            yield
        finally:
            flag.set_local(now)


class RunningVmap:
    """One running vmap. Levels are equal where JAX uses one object for their axis."""

    def __init__(self, axis: Any) -> None:
        self.size: int = axis.size
        self._axis = axis

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunningVmap) and self._axis is other._axis

    def __hash__(self) -> int:
        return id(self._axis)


class Location(NamedTuple):
    """The vmaps that map a value, and its variable in the jaxpr under trace."""

    mapped: frozenset[RunningVmap]
    """Only those since the start of that trace; those around the jaxpr are known when it is called."""
    variable: Var | None
    """None for a constant."""


class OuterCall(NamedTuple):
    """The call of an operation with jaxprs, outside of any jaxpr or under a vmap inside of one."""

    primitive: str
    parameters: dict[str, Any]
    operands: tuple[Location, ...]
    around: tuple[RunningVmap, ...]


def levels_around(frame: FrameType | None) -> tuple[RunningVmap, ...]:
    """Return the vmaps of user code around `frame`, outermost first."""
    found: list[RunningVmap] = []
    while frame is not None:
        if frame.f_code.co_qualname == VMAP:
            axis = frame.f_locals.get("axis_data")
            if axis is not None and _is_user_code(frame):
                found.insert(0, RunningVmap(axis))
        frame = frame.f_back
    return tuple(found)


def seen_through(value: Any) -> tuple[list[Any], Var | None]:
    """Return the vmap tracers that `value` consists of, the innermost vmap first, and its variable in the traced jaxpr.

    Tracers of derivatives are between them.
    """
    found = []
    while isinstance(value, core.Tracer) and not isinstance(value, partial_eval.DynamicJaxprTracer):
        is_batched = isinstance(value, batching.BatchTracer)
        found += [value] if is_batched else []
        value = value.val if is_batched else getattr(value, "primal", None)
    variable = value.val if isinstance(value, partial_eval.DynamicJaxprTracer) else None
    return found, variable if isinstance(variable, Var) else None


def location(value: Any) -> Location:
    tracers, variable = seen_through(value)
    mapped = (RunningVmap(each._trace.axis_data) for each in tracers if isinstance(each.batch_dim, int))
    return Location(frozenset(mapped), variable)


@contextmanager
def calls_noted() -> Iterator[list[OuterCall]]:
    """Record the calls of jaxprs under vmap by this thread in the block, in their order; user code is traced anew."""
    calls: list[OuterCall] = []

    def bind(genuine: Genuine, primitive: Any, trace: Any, operands: Sequence[Any], *rest: Any) -> Any:
        if not isinstance(trace, partial_eval.DynamicJaxprTrace | core.EvalTrace):
            parameters = rest[-1]
            if any(True for _ in jaxprs_in_params(parameters)) and (around := levels_around(sys._getframe())):
                calls.append(
                    OuterCall(primitive.name, parameters, tuple([location(each) for each in operands]), around)
                )
        return genuine(primitive, trace, operands, *rest)

    # A recorded program traces anew anyway, under the flag of the recording.
    anew = nullcontext() if dispatch.is_recording() else IsolatedTraces().of_user_code()
    with anew, instead(core.Primitive, "bind_with_trace", bind):
        yield calls


def _is_user_code(vmap: FrameType) -> bool:
    """Return whether this call of `vmap` maps a function of user code, or is made by user code."""
    function: Any = vmap.f_locals.get("fun")
    while isinstance(function, partial):
        function = function.func
    code = None
    with suppress(Exception):  # a user object may raise at any access
        code = getattr(inspect.unwrap(function), "__code__", None)
    caller = vmap.f_back
    while caller is not None and caller.f_code.co_filename == traceback_util.__file__:
        caller = caller.f_back
    return not (
        (code is None or code.co_filename.startswith(JAX_FILES))
        and (caller is None or caller.f_code.co_filename.startswith(JAX_FILES))
    )
