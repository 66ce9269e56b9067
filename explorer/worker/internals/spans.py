"""A code object and an instruction as a Span in user code (`SpanFinder`); `UserFiles` of a program of several."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FrameType, TracebackType

import msgspec

from explorer.messages import Span

Position = tuple[CodeType, int]
"""A code object and the byte offset of an instruction in it."""


class UserFiles(msgspec.Struct, frozen=True):
    """Tells the user's files apart in a program of several; its spans then name their file."""

    contain: Callable[[str], bool]

    def __call__(self, filename: str) -> bool:
        return self.contain(filename)


class SpanFinder:
    """Finder of spans with a cache, for one analysis: a program visits the same few places many times."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code = is_user_code
        self._spans: dict[tuple[int, int], Span | None] = {}
        # Keyed by identity, because comparing two code objects compares their instructions.
        self._positions: dict[int, tuple[CodeType, list[tuple[int | None, int | None, int | None, int | None]]]] = {}

    def innermost(self, positions: Iterable[Position]) -> Span | None:
        """Return the span of the first of `positions` in user code, or None."""
        for code, offset in positions:
            if self._is_user_code(code.co_filename):
                return self.span(code, offset)
        return None

    def span(self, code: CodeType, offset: int) -> Span | None:
        """Return the span of the instruction at byte `offset`, or None for an instruction without a line."""
        key = (id(code), offset)
        if key not in self._spans:
            span = self._look_up(code, offset)
            if span is not None and isinstance(self._is_user_code, UserFiles):
                span = msgspec.structs.replace(span, file=code.co_filename)
            self._spans[key] = span
        return self._spans[key]

    def _look_up(self, code: CodeType, offset: int) -> Span | None:
        if id(code) not in self._positions:
            # The code is held, so that its id stays valid.
            self._positions[id(code)] = code, list(code.co_positions())
        line, end_line, column, end_column = self._positions[id(code)][1][offset // 2]
        if line is None:
            return None
        end_line = end_line or line
        if column is None or end_column is None:
            return whole_line(code.co_filename, line)
        start = _characters(code.co_filename, line, column)
        return Span(line, start, end_line, _characters(code.co_filename, end_line, end_column))


def innermost_frame(frame: FrameType | None, is_wanted: Callable[[str], bool]) -> FrameType | None:
    """Return the innermost frame from `frame` outwards whose file `is_wanted`, None for none."""
    while frame is not None and not is_wanted(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def traceback_positions(traceback: TracebackType | None) -> Iterator[Position]:
    """Yield the positions of a Python traceback, innermost first."""
    entries = []
    while traceback is not None:
        entries.append((traceback.tb_frame.f_code, traceback.tb_lasti))
        traceback = traceback.tb_next
    return reversed(entries)


def whole_line(filename: str, line: int) -> Span:
    """Return the span of line number `line` without its indentation."""
    text = linecache.getline(filename, line).rstrip()
    return Span(line, len(text) - len(text.lstrip()), line, len(text))


def _characters(filename: str, line: int, column: int) -> int:
    """Return `column` in characters; Python counts bytes of UTF-8."""
    text = linecache.getline(filename, line)
    return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))
