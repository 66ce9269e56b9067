"""For the calls lens: the user's lines that run while jit looks up or traces a call, and the tracers they assign."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

import jax
import msgspec

from explorer.worker.program.equations import type_text
from explorer.worker.runs.lenses.cache_keys import Plain, TraceGlobals, is_same_value, read_by, text

MOST_STEPS = 400
"""Largest number of lines reported per call in execution order; further ones are only counted."""
BODY = 4
"""Usual indentation of a function's body."""
MOST_MADE = 6
"""Largest number of tracers reported per line."""
LONGEST_PRINTED = 400
"""Largest number of printed characters kept per line."""


class TracedLine(msgspec.Struct):
    """One line of user code that ran during a trace."""

    line: int
    text: str
    """The source text of the line."""
    made: tuple[str, ...] = ()
    """Tracers that it assigned, with types, and globals that it set: ``y: f32[3]``, ``n = 2``."""
    times: int = 1
    printed: str = ""


class TracedLines:
    """The lines of the code `source` that ran in one call, in the order of their first execution."""

    def __init__(self, source: list[str]) -> None:
        self.lines: set[int] = set()
        self.read = TraceGlobals()
        self.known: dict[int, TracedLine] = {}
        """The first lines, by number."""
        self._source = source
        self._now: int = 0

    def ran(self, line: int, first: int) -> None:
        """Record that `line` runs now, in a function that begins on line `first`."""
        self.lines.add(line)
        self._now = line
        if (known := self.known.get(line)) is not None:
            known.times += 1
        elif len(self.known) < MOST_STEPS:
            self.known[line] = TracedLine(line, _text_of(self._source, line, first))

    def is_new(self, line: int) -> bool:
        """Return whether `line` has run exactly once."""
        return line in self.known and self.known[line].times == 1

    def made(self, line: int, tracers: list[str]) -> None:
        """Record that `line`, which is new, assigned `tracers`."""
        self.known[line].made = self.known[line].made or tuple(tracers[:MOST_MADE])

    def printed(self, text: str) -> None:
        """Record that the current line printed `text`."""
        if (known := self.known.get(self._now)) is not None:
            known.printed = (known.printed + text)[:LONGEST_PRINTED]


class LineWatch:
    """Reports each executed line of user code to the `TracedLines` returned by `current`, between `begin` and `end`."""

    def __init__(self, is_user_code: Callable[[str], bool], current: Callable[[], TracedLines | None]) -> None:
        self._is_user_code = is_user_code
        self._current = current
        self._depth = 0
        self._before: Any = None
        self._frames: dict[int, tuple[int, dict[str, object]]] = {}
        """By id of each running frame: its line, and the values (tracers by id) of its names before that line."""

    def begin(self) -> None:
        """Start watching; the last `end` restores the previous trace function."""
        if self._depth == 0:
            self._before = sys.gettrace()
            sys.settrace(self._on_frame)
        self._depth += 1

    def end(self) -> None:
        """End the last `begin`."""
        self._depth -= 1
        if self._depth == 0:
            sys.settrace(self._before)
            self._frames.clear()

    def _on_frame(self, frame: FrameType, event: str, _: Any) -> Any:
        if event != "call" or not self._is_user_code(frame.f_code.co_filename):
            return None
        return self._on_line

    def _on_line(self, frame: FrameType, event: str, _: Any) -> Any:
        steps = self._current()
        if steps is not None and event in ("line", "return"):
            tracers, plain = _tracers(frame), read_by(frame)
            line, names = self._frames.pop(id(frame), (0, {}))
            if line and steps.is_new(line):
                steps.made(line, [*_named(tracers, names), *_set(plain, names)])
            steps.read.look(plain)
            if event == "line" and not _is_begun(frame, steps):
                steps.ran(frame.f_lineno, frame.f_code.co_firstlineno)
                ids = {name: id(value) for name, value in tracers.items()}
                self._frames[id(frame)] = frame.f_lineno, {**plain, **ids}
        return self._on_line


def _is_begun(frame: FrameType, steps: TracedLines) -> bool:
    """Return whether `frame` continues a generator expression on a line that has run already."""
    line, code = frame.f_lineno, frame.f_code
    return code.co_name == "<genexpr>" and line == code.co_firstlineno and line in steps.lines


def _tracers(frame: FrameType) -> dict[str, Any]:
    """Return the tracers among the local variables of `frame`."""
    # A user object may raise at any access.
    return {name: each for name, each in list(frame.f_locals.items()) if issubclass(type(each), jax.core.Tracer)}


def _named(tracers: Mapping[str, Any], before: Mapping[str, object]) -> list[str]:
    """Return the `tracers` newly assigned since `before`, compared by id."""
    new = ((name, each) for name, each in tracers.items() if before.get(name) != id(each))
    return [f"{name}: {type_text(jax.typeof(each))}" for name, each in new]


def _set(plain: Mapping[str, Plain], before: Mapping[str, object]) -> list[str]:
    """Return the `plain` globals with another value than `before`."""
    return [f"{name} = {text(each)}" for name, each in plain.items() if not is_same_value(each, before.get(name, each))]


def _text_of(source: list[str], line: int, first: int) -> str:
    """Return the code on `line`, indented relative to the body of the function on line `first`."""
    if not 0 < line <= len(source):
        return ""
    text, head = source[line - 1], source[first - 1]
    deeper = _indent(text) - _indent(head) - BODY
    return " " * max(0, deeper) + text.strip()


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
