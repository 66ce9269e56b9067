"""The arrays of one call that runs as Python runs it, each operation by itself."""

from __future__ import annotations

import sys
import sysconfig
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import jax

from explorer.messages.lenses.memory import EagerArray

PATIENCE_S = 2.0
"""After so many seconds of looking, the peak is not known."""
MOST_ARRAYS = 200
"""The largest ones are kept."""
_COMPUTING = ("numpy", "lax", "nn", "random.py", "scipy", "image")
"""Parts of JAX that call one operation after another. The others trace and compile, and make no arrays of the program.

They were 19,000 of 20,000 events in the first call of a program of five operations.
"""


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
            made = line or self._line(frame)
            self._lines[id(array)] = weakref.ref(array), made
        return made >= 0

    def _line(self, frame: FrameType) -> int:
        """Return the line of the innermost user code around `frame`, 0 for none."""
        around: FrameType | None = frame
        while around is not None:
            if self._is_user_code(around.f_code.co_filename):
                return around.f_lineno
            around = around.f_back
        return 0


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
