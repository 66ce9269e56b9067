"""The numbers that jitted functions return to user code, over their calls.

A call leaves a reference to its outputs of one element. They are read later, many at once: the program never waits for
them.
"""

from __future__ import annotations

import functools
import inspect
import math
import os
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from explorer.worker.internals import dispatch, sources
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.jit.watched_outputs import WatchedOutputs
from explorer.worker.recording import fetching

MOST_POINTS = 500
MOST_OUTPUTS = 40
"""The most outputs of one function."""
MOST_PLACES = 200
"""The most places in user code whose calls are followed."""
_MOST_CALLERS = 1 << 14
_WAITING = 1024
"""Number of calls after which those that are ready are read."""
_MOST_WAITING = 1 << 16
"""Number of calls after which they are waited for."""
_JAX = f"{Path(jax.__file__).parent}{os.sep}"


@dataclass(frozen=True, eq=False)
class Function:
    """A jitted function as it is followed: its name, and its outputs of one number."""

    name: str
    outputs: tuple[tuple[str, Any], ...]
    """The path and the type of each: ``result[1]['loss']``."""


class _Call(NamedTuple):
    function: Function
    caller: tuple[sources.Traceback, ...]
    arrays: list[Any]


@dataclass
class Output:
    """One output over the calls."""

    kept: list[Any] = field(default_factory=list)
    """NumPy scalars: that of the last call of each stride."""
    last: Any = None
    """That of the last call."""
    first_not_finite: int = -1
    is_lost: bool = False
    """Whether the program deleted or donated a value before it was read, or failed to compute it."""


@dataclass
class CallSeries:
    """The calls of one function from one place in user code."""

    function: Function
    caller: tuple[sources.Traceback, ...]
    outputs: list[Output]
    length: int = 0
    stride: int = 1
    """A power of two."""

    def take(self, calls: Sequence[list[Any]]) -> None:
        """Append the outputs of `calls`, as NumPy arrays, or None for a lost one."""
        start, self.length = self.length, self.length + len(calls)
        for output, (_, aval), values in zip(
            self.outputs, self.function.outputs, zip(*calls, strict=True), strict=True
        ):
            output.is_lost |= any(each is None for each in values)
            if output.is_lost:
                output.kept.clear()
                continue
            if output.first_not_finite < 0 and jnp.issubdtype(aval.dtype, np.inexact):
                bad = np.flatnonzero(~np.isfinite(np.array(values)))
                output.first_not_finite = start + int(bad[0]) if bad.size else -1
            output.kept += values[self.stride - 1 - start % self.stride :: self.stride]
            output.last = values[-1]
        while self.length > MOST_POINTS * self.stride:
            self.stride *= 2
            for output in self.outputs:
                output.kept = output.kept[1::2]

    @property
    def numbers(self) -> list[int]:
        """The number of the call of each point, from 0: the last one of each stride."""
        return [min(start + self.stride, self.length) - 1 for start in range(0, self.length, self.stride)]

    def points(self, output: Output) -> list[Any]:
        """Return the value of `output` at each of the `numbers`."""
        return output.kept if self.length % self.stride == 0 else [*output.kept, output.last]


class CallLog:
    """The calls of one recording."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self.added: Callable[[], None] | None = None
        """To call after a call."""
        self._is_user_code = is_user_code
        self._guard = Guard()
        self._watched: weakref.WeakKeyDictionary[Any, WatchedOutputs | None] = weakref.WeakKeyDictionary()
        """By jaxpr."""
        self._waiting: list[_Call] = []
        self._series: dict[Any, CallSeries] = {}
        """By position in user code and function."""
        self._known: dict[Any, CallSeries | None] = {}
        """The same by function and caller."""

    def watched(self, function: Callable[..., Any], parameters: dict[str, Any]) -> WatchedOutputs | None:
        """Return the outputs to follow of `function`, a jit with these `parameters`; None if there are none."""
        return self._guard.ask(self._find, function, parameters, instead=None)

    def _find(self, function: Callable[..., Any], parameters: dict[str, Any]) -> WatchedOutputs | None:
        jaxpr = parameters["jaxpr"]
        if jaxpr not in self._watched:
            avals = jaxpr.out_avals
            places = [place for place, aval in enumerate(avals) if _is_one_number(aval)][:MOST_OUTPUTS]
            paths = getattr(jaxpr.jaxpr.debug_info, "result_paths", None) or ()
            if len(paths) != len(avals):
                paths = [f"result[{place}]" for place in range(len(avals))]
            about = Function(parameters["name"], tuple((str(paths[place]), avals[place]) for place in places))
            watches = bool(places) and not _is_of_jax(function)
            listener = functools.partial(self._called, about)
            self._watched[jaxpr] = WatchedOutputs(places, listener, self._guard) if watches else None
        return self._watched[jaxpr]

    def _called(self, function: Function, arrays: list[Any]) -> None:
        tracebacks, _ = sources.current_source()
        self._waiting.append(_Call(function, tracebacks, arrays))
        if dispatch.is_called_back():
            # XLA waits for the callback, which must not wait for XLA.
            return
        if len(self._waiting) % _WAITING == 0:
            self._read(may_wait=len(self._waiting) >= _MOST_WAITING)
        if self.added is not None:
            self.added()

    def series(self, *, may_wait: bool = True) -> list[CallSeries]:
        """Return all calls so far; without `may_wait`, without those whose outputs are still being computed."""
        self._guard(self._read, may_wait=may_wait)
        return list(self._series.values())

    def _read(self, *, may_wait: bool) -> None:
        """Read the outputs of the calls that are ready, in order."""
        calls, self._waiting = self._waiting, []
        rows: dict[int, tuple[CallSeries, list[list[Any]]]] = {}
        done = 0
        for call in calls:
            if not may_wait and not all(map(_is_ready, call.arrays)):
                break
            done += 1
            series = self._series_of(call)
            if series is not None:
                pairs = zip(series.outputs, call.arrays, strict=True)
                row = [None if output.is_lost else _number(array) for output, array in pairs]
                rows.setdefault(id(series), (series, []))[1].append(row)
        self._waiting = [*calls[done:], *self._waiting]
        for series, values in rows.values():
            series.take(values)

    def _series_of(self, call: _Call) -> CallSeries | None:
        caller = call.function, call.caller
        if caller not in self._known:
            if len(self._known) >= _MOST_CALLERS:
                self._known.clear()
            frames = [frame for each in call.caller for frame in zip(*each.raw_frames(), strict=True)]
            position = tuple((id(code), offset) for code, offset in frames if self._is_user_code(code.co_filename))
            place = position, call.function.name, tuple(path for path, _ in call.function.outputs)
            if position and place not in self._series and len(self._series) < MOST_PLACES:
                # It keeps the code objects, so that their ids stay valid.
                self._series[place] = CallSeries(call.function, call.caller, [Output() for _ in call.arrays])
            self._known[caller] = self._series.get(place)
        return self._known[caller]


def _is_of_jax(function: Callable[..., Any]) -> bool:
    """Return whether `function` is one that JAX jits itself, such as ``jnp.mean``."""
    inner = inspect.unwrap(function)
    while isinstance(inner, functools.partial):
        inner = inspect.unwrap(inner.func)
    code = getattr(inner, "__code__", None)
    return code is not None and code.co_filename.startswith(_JAX)


def _is_one_number(aval: Any) -> bool:
    dtype = getattr(aval, "dtype", None)
    is_number = dtype is not None and (jnp.issubdtype(dtype, np.number) or dtype == np.bool_)
    return is_number and math.prod(aval.shape) == 1


def _is_ready(array: Any) -> bool:
    return array.is_deleted() or array.is_ready()


def _number(array: Any) -> Any:
    """Return the element of `array` as a NumPy scalar; None if it was deleted, or could not be computed."""
    try:
        return fetching.fetched(array).reshape(())[()]
    except (fetching.Lost, RuntimeError):
        # A RuntimeError for an array that other processes hold.
        return None
