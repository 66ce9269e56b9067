"""The numbers that functions return to user code, over their calls (`CallLog`); the first call that returned NaN.

A call leaves a reference to its outputs of one element. They are read later, many at once: the program never waits for
them. Its arguments are kept until then: with those of the first call that returned NaN it can be evaluated again.
"""

from __future__ import annotations

import functools
import math
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import jax
import jax.numpy as jnp
import msgspec
import numpy as np

from explorer.worker.internals import dispatch
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.jit.fast_calls import CallWithArguments
from explorer.worker.internals.jit.watched_outputs import WatchedOutputs
from explorer.worker.internals.sources import JAX_FILES
from explorer.worker.internals.spans import Position
from explorer.worker.recording import fetching

MOST_POINTS = 500
MOST_OUTPUTS = 40
"""The most outputs of one function."""
MOST_PLACES = 200
"""The most places in user code whose calls are followed."""
_MOST_CALLERS = 32
"""Twice the most calls in user code around one."""
_MOST_CODES = 1 << 16
"""The most code objects that are distinguished: a program may make new code in each step."""
_WAITING_BYTES = 1 << 20
"""Bytes of arguments after which calls are read: arrays that are kept cost the program time, as it needs new memory."""
MOST_BYTES = 1 << 28
"""The most bytes of the arguments of one call of each function, together."""
_WAITING = 64
"""Number of calls after which those that are ready are read."""
_MOST_WAITING = 1 << 16
"""Number of calls after which they are waited for."""


class Function(msgspec.Struct, frozen=True):
    """A function as it is followed: its name, and its outputs of one number."""

    name: str
    outputs: tuple[tuple[str, Any], ...]
    """The path and the type of each: ``result[1]['loss']``."""
    places: tuple[int, ...] = ()
    """Their indices among all flat outputs."""
    own: str = "result"
    """How the paths of the results begin that the user's function returns; others belong to a library around it."""


class OutputSeries(msgspec.Struct):
    """One output over the calls."""

    kept: list[Any] = []
    """NumPy scalars: that of the last call of each stride."""
    last: Any = None
    """That of the last call."""
    first_not_finite: int = -1
    is_passed_on: bool = False
    """Whether it has been infinite since the first call, which got infinity: as a best so far begins."""
    is_lost: bool = False
    """Whether the program deleted or donated a value before it was read."""


class BadCall(msgspec.Struct):
    """The first call that returned NaN or infinity, and the call before."""

    output: int
    """Index of the first such output among those that are followed."""
    call: CallWithArguments | None
    """None if its arguments are not known."""
    before: CallWithArguments | None


class CallSeries(msgspec.Struct):
    """The calls of one function from one place in user code."""

    function: Function
    caller: tuple[Position, ...]
    """The calls in user code that lead there, innermost first."""
    outputs: list[OutputSeries]
    length: int = 0
    stride: int = 1
    """A power of two."""
    bad: BadCall | None = None
    bytes: int = 0
    """Room for the arguments of a call."""
    is_too_large: bool = False
    """Whether the arguments of some calls were too large to keep."""
    _before: CallWithArguments | None = None

    def take(self, calls: Sequence[list[Any]], given: Sequence[CallWithArguments | None] = ()) -> None:
        """Append the outputs of `calls`, as NumPy arrays, or None for a lost one, with what the calls were `given`."""
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
                if start == 0 and len(bad) and bad[0] == 0:
                    output.is_passed_on = bool(np.isinf(values[0])) and _has_infinity(given[0] if given else None)
                if output.is_passed_on:
                    infinite = np.append(np.isinf(np.array(values)), False)
                    bad = bad[bad >= infinite.argmin()]
                    output.is_passed_on = bool(infinite[:-1].all())
                output.first_not_finite = start + int(bad[0]) if bad.size else -1
            output.kept += values[self.stride - 1 - start % self.stride :: self.stride]
            output.last = values[-1]
        while self.length > MOST_POINTS * self.stride:
            self.stride *= 2
            for output in self.outputs:
                output.kept = output.kept[1::2]
        if self.bad is None and given:
            self._find_bad(start, [self._before, *given])

    def _find_bad(self, start: int, given: Sequence[CallWithArguments | None]) -> None:
        firsts = [(each.first_not_finite, place) for place, each in enumerate(self.outputs)]
        number, output = min((each for each in firsts if each[0] >= start), default=(-1, 0))
        self._before = given[-1] if number < 0 else None
        if number >= 0:
            self.bad = BadCall(output, given[number - start + 1], given[number - start])

    @property
    def numbers(self) -> list[int]:
        """The number of the call of each point, from 0: the last one of each stride."""
        return [min(start + self.stride, self.length) - 1 for start in range(0, self.length, self.stride)]

    def points(self, output: OutputSeries) -> list[Any]:
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
        self._waiting: list[tuple[CallSeries, list[Any], CallWithArguments | None]] = []
        self._waiting_bytes = 0
        self._room = MOST_BYTES
        self._thread = _ThreadState()
        self._others: dict[Any, tuple[Function, dict[tuple[int, ...], CallSeries | None]]] = {}
        """By name and paths of the results: what is called that is not jitted, with its series by caller."""
        self._last: list[Any] = []
        """The outputs of the last call."""
        self._series: dict[Any, CallSeries] = {}
        """By function and caller."""
        self._users: dict[int, tuple[CodeType, bool]] = {}
        """By id of a code object: the object, held so that the id stays valid, and whether it is user code."""

    def watched(self, function: object, parameters: dict[str, Any]) -> WatchedOutputs | None:
        """Return the outputs to follow of `function`, a jit with these `parameters`; None if there are none."""
        return self._guard.call_or(self._find, function, parameters, instead=None)

    def _find(self, function: object, parameters: dict[str, Any]) -> WatchedOutputs | None:
        jaxpr = parameters["jaxpr"]
        if jaxpr not in self._watched:
            avals = jaxpr.out_avals
            places = [place for place, aval in enumerate(avals) if _is_one_number(aval)][:MOST_OUTPUTS]
            paths = getattr(jaxpr.jaxpr.debug_info, "result_paths", None) or ()
            if len(paths) != len(avals):
                paths = [f"result[{place}]" for place in range(len(avals))]
            outputs = tuple((str(paths[place]), avals[place]) for place in places)
            about = Function(parameters["name"], outputs, tuple(places), _own_results(function))
            watches = bool(places) and not _file_of(function).startswith(JAX_FILES)
            listener = functools.partial(self._called, about, {})
            self._watched[jaxpr] = WatchedOutputs(places, listener, self._guard) if watches else None
        return self._watched[jaxpr]

    def _called(self, function: Function, known: dict[tuple[int, ...], CallSeries | None], arrays: list[Any]) -> None:
        """Take a call of `function`, of which the series by caller are `known`."""
        given, self._thread.given = self._thread.given, None
        self._last = arrays
        caller = self._caller()
        if caller not in known:
            known[caller] = self._series_of(function, caller)
        series = known[caller]
        if series is None:
            return
        if given is not None and not self._has_room(series, given.bytes):
            given = None
        self._waiting.append((series, arrays, given))
        if dispatch.is_called_back():
            # XLA waits for the callback, which must not wait for XLA.
            return
        if len(self._waiting) % _WAITING == 0 or self._waiting_bytes > _WAITING_BYTES:
            self._read(math.inf if len(self._waiting) >= _MOST_WAITING else 0.0)
        if self.added is not None:
            self.added()

    def returned(self, name: str, result: Any) -> None:
        """Take the numbers in the `result` of a call in user code that is written as `name`."""
        self._guard(self._returned, name, result)

    def _returned(self, name: str, result: Any) -> None:
        known = {id(each) for each in self._last}
        # A call that passes outputs on belongs to the inner call.
        found = [pair for pair in _numbers_in("result", result, [MOST_OUTPUTS]) if id(pair[1]) not in known]
        if found:
            key = name, *(path for path, _ in found)
            if key not in self._others:
                self._others[key] = Function(name, tuple((path, each.aval) for path, each in found)), {}
            self._called(*self._others[key], [each for _, each in found])

    def given(self, call: CallWithArguments | None) -> None:
        """Take the arguments of the call in this thread whose outputs come next."""
        self._thread.given = call

    def _has_room(self, series: CallSeries, size: int) -> bool:
        """Return whether a call of `series` may keep arguments of `size` bytes; none need to after the first NaN."""
        if series.bad is not None:
            return False
        if size > series.bytes:
            if size - series.bytes > self._room:
                series.is_too_large = True
                return False
            self._room -= size - series.bytes
            series.bytes = size
        self._waiting_bytes += size
        return True

    def _caller(self) -> tuple[int, ...]:
        """Return the id of the code and the instruction of each call in user code, innermost first.

        They end where user code was called by other code. Much faster than a traceback. Empty for code that was made
        after very much other code.
        """
        found: list[int] = []
        users = self._users
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and len(found) < _MOST_CALLERS:
            code = frame.f_code
            number = id(code)
            if number not in users:
                if len(users) >= _MOST_CODES:
                    return ()
                users[number] = code, self._is_user_code(code.co_filename)
            if users[number][1]:
                found += number, frame.f_lasti
            elif found:
                break
            frame = frame.f_back
        return tuple(found)

    def _series_of(self, function: Function, caller: tuple[int, ...]) -> CallSeries | None:
        """Return the series of all calls of `function` from `caller`, with any types; None if it is not followed."""
        place = function.name, *(path for path, _ in function.outputs), *caller
        if place not in self._series and caller and len(self._series) < MOST_PLACES:
            positions = zip((self._users[code][0] for code in caller[::2]), caller[1::2], strict=True)
            self._series[place] = CallSeries(function, tuple(positions), [OutputSeries() for _ in function.outputs])
        return self._series.get(place)

    def series(self, patience_s: float = math.inf) -> list[CallSeries]:
        """Return all calls so far, without those whose outputs are still being computed after `patience_s` seconds."""
        self._guard(self._read, patience_s)
        return list(self._series.values())

    def _read(self, patience_s: float) -> None:
        """Read the outputs of the calls in order, up to the first one that is not there after `patience_s` seconds."""
        deadline = time.monotonic() + patience_s
        calls, self._waiting = self._waiting, []
        rows: dict[int, tuple[CallSeries, list[list[Any]], list[CallWithArguments | None]]] = {}
        done = 0
        for series, arrays, given in calls:
            pairs = zip(series.outputs, arrays, strict=True)
            try:
                row = [None if output.is_lost else _number(array, deadline) for output, array in pairs]
            except fetching.PendingArray:
                break
            except (fetching.FailedArray, RuntimeError):
                # The program failed here, and notices itself; or other processes hold the array.
                row = []
            done += 1
            self._waiting_bytes -= given.bytes if given is not None else 0
            if row:
                _, values, calls_given = rows.setdefault(id(series), (series, [], []))
                values.append(row)
                calls_given.append(given)
        self._waiting = [*calls[done:], *self._waiting]
        for series, values, calls_given in rows.values():
            series.take(values, calls_given)


class _ThreadState(threading.local):
    given: CallWithArguments | None = None


def _has_infinity(call: CallWithArguments | None) -> bool:
    """Return whether an argument of one number is infinite."""
    numbers = (np.asarray(each) for each in (call.program()[1] if call is not None else ()) if np.size(each) == 1)
    return any(each.dtype.kind in "fc" and bool(np.isinf(each).any()) for each in numbers)


def _file_of(function: object) -> str:
    """Return the file of the innermost function that `function` wraps; that of JAX for those that JAX jits itself."""
    inner: Any = function
    while (
        wrapped := getattr(inner, "func" if isinstance(inner, functools.partial) else "__wrapped__", None)
    ) is not None:
        inner = wrapped
    code = getattr(inner, "__code__", None)
    return code.co_filename if code is not None else ""


def _own_results(function: Any) -> str:
    """Return how the paths of the user's results begin: ``filter_jit`` and ``nnx.jit`` return more than these."""
    if type(function).__module__.startswith("flax.nnx"):
        return "result[2]"
    file = getattr(getattr(function, "__code__", None), "co_filename", "")
    return "result[1]" if Path(file).parent.name == "equinox" else "result"


def _numbers_in(path: str, value: Any, left: list[int]) -> Iterator[tuple[str, Any]]:
    """Yield the arrays of one real number in `value`, by path, among the first `left` leaves of its containers."""
    left[0] -= 1
    if left[0] >= 0 and type(value) in (tuple, list, dict):
        for place, each in value.items() if type(value) is dict else enumerate(value):
            yield from _numbers_in(f"{path}[{place!r}]", each, left)
    elif _is_concrete(value) and _is_one_number(value) and jnp.issubdtype(value.dtype, np.floating):
        yield path, value


def _is_concrete(value: Any) -> bool:
    return isinstance(value, jax.Array) and not isinstance(value, jax.core.Tracer)


def _is_one_number(aval: Any) -> bool:
    dtype = getattr(aval, "dtype", None)
    is_number = dtype is not None and (jnp.issubdtype(dtype, np.number) or dtype == np.bool_)
    return is_number and math.prod(aval.shape) == 1


def _number(array: Any, deadline: float) -> Any:
    """Return the element of `array` as a NumPy scalar; None if the program deleted it. Raises FailedArray."""
    try:
        return fetching.fetched(array, deadline).reshape(-1)[0]
    except fetching.DeletedArray:
        return None
