"""Watches a run for array updates whose result is discarded: ``x.at[i].set(v)`` alone on a line.

See https://docs.jax.dev/en/latest/_autosummary/jax.Array.at.html.
"""

from __future__ import annotations

import ast
import dis
import functools
import linecache
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from types import CodeType, FrameType

import msgspec

from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, Span
from explorer.text.text import say
from explorer.worker.internals import array_operations
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.syntax.code_tree import is_quotable, readable

KIND = "discarded-update"
_POP_TOP = dis.opmap["POP_TOP"]
_CALLING = {dis.opmap[name] for name in ("CACHE", "PRECALL", "CALL") if name in dis.opmap}
"""Instructions that form a call."""


class Watch:
    """Detector for one stretch of a program; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code, self._spans = is_user_code, SpanFinder(is_user_code)
        self._judged: dict[tuple[int, int], CodeType] = {}
        """By (id of the code, instruction): the code, held so that the id stays valid."""
        self._found: dict[Span, str] = {}
        """Source text of each discarded update."""

    def watching(self) -> AbstractContextManager[Guard]:
        """Record the discarded updates in the block."""
        return array_operations.updates_watched(self._look)

    def findings(self) -> Iterable[Finding]:
        """Return a finding for each discarded update."""
        return [_finding(span, text) for span, text in self._found.items()]

    def _look(self, frame: FrameType) -> None:
        code, call = frame.f_code, frame.f_lasti
        if (id(code), call) not in self._judged and self._is_user_code(code.co_filename):
            self._judged[id(code), call] = code
            # The text is parsed only now. It cannot show that a notebook displays the last line of a cell.
            span = self._spans.span(code, call) if _is_thrown_away(code, call) else None
            if span is not None:
                statements = _statements("".join(linecache.getlines(code.co_filename)))
                whole, text = statements.get((span.end_line, span.end_column), (None, ""))
                if whole is not None:
                    self._found[msgspec.structs.replace(whole, file=span.file)] = text


def _finding(span: Span, text: str) -> Finding:
    message = say(
        "{called} on line {line} returns a changed copy, and nothing keeps it. The array itself stays as it was: JAX "
        "arrays cannot be changed in place. Assign the result.",
        called=f"`{text}`",
        line=span.line,
    )
    return Finding(KIND, "bug", message, (span,), lesson=lesson_of(KIND))


def _is_thrown_away(code: CodeType, call: int) -> bool:
    """Return whether Python may discard the result of the call at this offset, and neither store nor show it."""
    # Under inspection, a method with the name of a list method is the last argument of the reporting call.
    instructions, following = code.co_code, call + 2
    while instructions[following] in _CALLING:
        following += 2
    return instructions[following] == _POP_TOP


@functools.lru_cache(maxsize=8)
def _statements(source: str) -> dict[tuple[int, int], tuple[Span, str]]:
    """Return (span, text) of each ``x.at[...].method(...)``, by its end: Python does not report a long call's start."""
    code, found = readable(source), {}
    if code is not None:
        for node in code.parents:
            match node:
                case ast.Expr(
                    value=ast.Call(func=ast.Attribute(ast.Subscript(ast.Attribute(attr="at")), name)) as call
                ):
                    span, text = code.span(call), code.written(call)
                    is_short = is_quotable(span, text)
                    found[span.end_line, span.end_column] = span, text if is_short else f".at[...].{name}(...)"
    return found
