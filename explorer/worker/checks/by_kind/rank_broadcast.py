"""Watches a run for shapes that differ in an axis of length 1: all pairs are combined, and then reduced."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from types import CodeType, FrameType

from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, Span
from explorer.text.text import say
from explorer.worker.checks import array_flow
from explorer.worker.internals import array_operations
from explorer.worker.internals.array_operations import Shape
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.syntax.code_tree import is_quotable

KIND = "rank-broadcast"


class Watch:
    """Watches one stretch of a program; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code, self._spans = is_user_code, SpanFinder(is_user_code)
        self._judged: dict[tuple[int, int], CodeType] = {}
        """By identity and instruction; held on to, so that no other one gets its address."""
        self._found: dict[Span, Finding] = {}

    def watching(self) -> AbstractContextManager[Guard]:
        """Record the operators in the block that combine all pairs."""
        return array_operations.all_pairs_watched(self._look)

    def findings(self) -> Iterable[Finding]:
        """Return a finding for each place."""
        return list(self._found.values())

    def _look(self, frame: FrameType, first: Shape, second: Shape) -> None:
        code, at = frame.f_code, frame.f_lasti
        if (id(code), at) in self._judged or not self._is_user_code(code.co_filename):
            return
        self._judged[id(code), at] = code
        stack, span = array_flow.UserCallStack(frame, self._is_user_code, self._spans), self._spans.span(code, at)
        found = stack.here()
        if span is None or found is None:
            return
        reduction, operands = stack.reduced(), _operands(found[1])
        if reduction and operands and not any(stack.has_made_axes(found[0], each) for each in operands):
            self._found[span] = _finding(span, found[0].tree.written(found[1]), first, second, reduction)


def _operands(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            return [left, right]
    return []


def _finding(span: Span, text: str, first: Shape, second: Shape, reduction: str) -> Finding:
    is_short = is_quotable(span, text)
    message = say(
        "{code} on line {line} combines the shapes {first} and {second}: each element meets every other one, not its "
        "own partner. {reduction} then takes all pairs. Give both the same shape, as with `.squeeze(-1)`; if you mean "
        "all pairs, write the axis, as in `y[None, :]`.",
        code=f"`{text}`" if is_short else say("The expression"),
        line=span.line,
        first=first,
        second=second,
        reduction=f"`{reduction}`",
    )
    return Finding(KIND, "warning", message, (span,), lesson=lesson_of(KIND))
