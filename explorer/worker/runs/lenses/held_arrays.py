"""The arrays at the peak of a call without jit, each operation run by itself, and those that stay after it."""

from __future__ import annotations

import sys
import sysconfig
import time
import types
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import jax
import msgspec
from jax.core import Tracer

from explorer.worker.code import calls, trees
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.internals.spans import innermost_frame
from explorer.worker.runs.lens import LensInput

PATIENCE_S = 2.0
"""After so many seconds of looking, the peak is not known."""
MOST_ARRAYS = 200
"""The largest ones are kept."""
MOST_OBJECTS = 100_000
"""Number of objects of one program to look into."""
_COMPUTING = ("numpy", "lax", "nn", "random.py", "scipy", "image")
"""Parts of JAX that call one operation after another. The others trace and compile, and make no arrays of the program.

They were 19,000 of 20,000 events in the first call of a program of five operations.
"""


class EagerArray(msgspec.Struct, frozen=True):
    """An array that is there at the peak of a call without jit."""

    type: str
    """JAX's notation: ``f32[8,4]``."""
    bytes: int
    line: int
    """The line in user code that made it, 0 for none."""


class GlobalArrays(msgspec.Struct, frozen=True):
    """The arrays that one global name of the program holds between calls."""

    name: str
    line: int
    """The line in user code that first binds the name, 0 if unknown."""
    count: int
    """Number of arrays after one call."""
    bytes: int
    """Their bytes then."""
    before: int
    """The bytes before that call."""


class EagerPeak:
    """The moment of a call with the most bytes of arrays, without those that were there before the call.

    It looks whenever a line of the program ends, and a Python function begins or ends, those of JAX that compute
    included. An array that only a compiled function of JAX makes for itself goes unseen, so the peak may be higher.
    """

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code = is_user_code
        self._lines: dict[int, tuple[weakref.ref[jax.Array], int]] = {
            id(each): (weakref.ref(each), -1) for each in jax.live_arrays()
        }
        """By id: an array, and the line at which it was seen first; -1 for those from before."""
        self._bytes = 0
        self._arrays: list[EagerArray] = []
        self._took_s = 0.0

    def found(self) -> tuple[EagerArray, ...] | None:
        """Return the arrays of that moment, the largest first; None if looking took too long."""
        if self._took_s > PATIENCE_S:
            return None
        return tuple(sorted(self._arrays, key=lambda each: -each.bytes)[:MOST_ARRAYS])

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Look in the block."""
        before = sys.getprofile(), sys.gettrace()
        sys.setprofile(self._on_event)
        sys.settrace(self._on_call)
        try:
            yield
        finally:
            sys.settrace(before[1])
            sys.setprofile(before[0])

    def _on_event(self, frame: FrameType, event: str, _: Any) -> None:
        if event in ("call", "return") and _may_make_arrays(frame.f_code.co_filename):
            self._look(frame)

    def _on_call(self, frame: FrameType, _event: str, _: Any) -> Callable[..., Any] | None:
        """Follow the lines of user code: what is new when a line begins is of the line before."""
        if not self._is_user_code(frame.f_code.co_filename):
            return None
        line = frame.f_lineno

        def on_line(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal line
            if event == "line":
                self._look(frame, line)
                line = frame.f_lineno
            return on_line

        return on_line

    def _look(self, frame: FrameType, line: int = 0) -> None:
        """Take the arrays that are there; new ones are of `line`, by default that of the program around `frame`."""
        if self._took_s > PATIENCE_S:
            return
        begin = time.perf_counter()
        self._take(frame, line)
        self._took_s += time.perf_counter() - begin

    def _take(self, frame: FrameType, line: int) -> None:
        there = [each for each in jax.live_arrays() if not each.is_deleted()]
        made = [each for each in there if self._is_new(each, frame, line)]
        size = sum(each.nbytes for each in made)
        if size > self._bytes:
            self._bytes = size
            self._arrays = [
                EagerArray(each.aval.str_short(short_dtypes=True), each.nbytes, self._lines[id(each)][1])
                for each in made
            ]

    def _is_new(self, array: jax.Array, frame: FrameType, line: int) -> bool:
        """Return whether `array` was made in the call, and note the line if it is seen for the first time."""
        reference, made = self._lines.get(id(array), (None, 0))
        if reference is None or reference() is not array:
            around = None if line else innermost_frame(frame, self._is_user_code)
            made = around.f_lineno if around is not None else line
            self._lines[id(array)] = weakref.ref(array), made
        return made >= 0


@cache
def _may_make_arrays(file: str) -> bool:
    """Return whether a function of `file` may make arrays: one of the program, a library or a computing part of JAX."""
    path = Path(file)
    if path.is_relative_to(_JAX):
        return path.relative_to(_JAX).parts[:1] != ("_src",) or path.relative_to(_JAX).parts[1] in _COMPUTING
    is_library = "site-packages" in path.parts or "dist-packages" in path.parts
    return is_library or not path.is_relative_to(_STANDARD_LIBRARY)


_JAX = Path(jax.__file__).parent
_STANDARD_LIBRARY = Path(sysconfig.get_path("stdlib"))


# -- what stays -----------------------------------------------------------------------------------------------------


def called_once(asked: LensInput) -> tuple[tuple[GlobalArrays, ...], tuple[EagerArray, ...] | None]:
    """Call the variant of a freshly loaded program; return what its global names hold then, and the arrays at its peak.

    Raises the exceptions of the program.
    """
    loaded, call, inputs = asked.loaded()
    before, peak = _held(loaded), EagerPeak(loaded.is_user_code)
    with peak.watching():
        outputs = calls.call(call, inputs)
    trees.waited_for(outputs)
    found = (
        GlobalArrays(name, loaded.lines.get(name, (0, 0))[0], len(arrays), sum(arrays.values()), sum(earlier.values()))
        for name, arrays in _held(loaded).items()
        for earlier in (before.get(name, {}),)
    )
    return tuple(sorted(found, key=lambda each: -each.bytes)), peak.found()


def _held(program: LoadedProgram) -> dict[str, dict[int, int]]:
    """Return the bytes of the arrays by their id, for each global name; an array of several names is the first's."""
    found: dict[str, dict[int, int]] = {}
    seen: set[int] = set()
    for name, value in list(vars(program.module).items()):
        # An alias of an array would count it twice.
        arrays = {id(each): each.nbytes for each in _arrays(value, program.module.__name__, seen)}
        if arrays:
            found[name] = arrays
    return found


def _arrays(value: Any, module: str, seen: set[int]) -> Iterator[jax.Array]:
    """Yield the arrays that `value` reaches and that are not `seen` yet.

    It looks into containers, pytrees, closures and defaults of functions, and objects of the program's own classes.
    """
    inside = [value]
    while inside and len(seen) < MOST_OBJECTS:
        each = inside.pop()
        if id(each) in seen or isinstance(each, types.ModuleType | type | Tracer):
            continue
        seen.add(id(each))
        if isinstance(each, jax.Array):
            if not each.is_deleted():
                yield each
        elif isinstance(each, types.FunctionType):
            inside += [*_closed_over(each), *(each.__defaults__ or ()), *(each.__kwdefaults__ or {}).values()]
        elif isinstance(each, dict):
            # As a pytree its keys would need an order.
            inside += each.values()
        elif isinstance(each, list | tuple | set | frozenset | deque):
            inside += each
        elif type(each).__module__ == module and hasattr(each, "__dict__"):
            inside += vars(each).values()
        elif callable(each):
            inside.append(getattr(each, "__wrapped__", None))
        else:
            inside += [leaf for leaf in jax.tree.leaves(each) if leaf is not each]


def _closed_over(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with suppress(ValueError):
            # It is empty until its name is bound.
            yield cell.cell_contents
