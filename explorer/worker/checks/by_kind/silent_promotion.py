"""Watches a run for bfloat16 or float16 arrays that a NumPy operand widens to float32.

Python numbers do not: https://docs.jax.dev/en/latest/type_promotion.html.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from types import CodeType, FrameType

import msgspec

from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, Span
from explorer.text.text import say
from explorer.worker.checks import array_flow
from explorer.worker.internals import promotions
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.promotions import WideningOperation
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.syntax import code_flow
from explorer.worker.syntax.code_flow import FollowedFile
from explorer.worker.syntax.code_tree import is_quotable, last_name

KIND = "silent-promotion"
_CASTS = {"astype", "convert_element_type", "bfloat16", "float16", "half", "float32", "float64", "view", "cast"}
_SAY_DTYPE = {"dtype", "preferred_element_type", "out_dtype"}


class Watch:
    """Detector for one stretch of a program; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code, self._spans = is_user_code, SpanFinder(is_user_code)
        self._judged: dict[tuple[int, int], tuple[CodeType, list[WideningOperation]]] = {}
        """By identity and instruction; the code is held on to, so that no other one gets its address."""
        self._found: dict[tuple[int, int], tuple[Finding, bool]] = {}
        """The finding, and whether the operation is itself the operand of another one."""

    def watching(self) -> AbstractContextManager[Guard]:
        """Record the widened operations in the block."""
        return promotions.watching(self._look)

    def findings(self) -> Iterable[Finding]:
        """Return a finding for each place."""
        found = []
        for place, (finding, is_operand) in self._found.items():
            every = self._judged[place][1]
            # The other operand is computed from the result only if the result has a name.
            if not any(each.is_wide_anyway or (each.meets_wide and is_operand) for each in every):
                found.append(finding)
        return found

    def _look(self, frame: FrameType, widened: WideningOperation) -> None:
        code, at = frame.f_code, frame.f_lasti
        if not self._is_user_code(code.co_filename):
            return
        known = self._judged.get((id(code), at))
        if known is not None:
            known[1].append(widened)
            return
        self._judged[id(code), at] = code, [widened]
        stack, span = array_flow.UserCallStack(frame, self._is_user_code, self._spans), self._spans.span(code, at)
        found = stack.here()
        if span is None or found is None:
            return
        code_here, node = found
        operand = _operand(node, widened)
        ends = stack.ends(_end)
        if operand is not None and "kept" in ends and "cast" not in ends:
            is_operand = isinstance(code_here.tree.parents.get(node), ast.BinOp)
            self._found[id(code), at] = _finding(code_here, span, operand, widened), is_operand


def _end(call: ast.Call, is_plain: bool) -> str:
    """Return ``cast`` for a call that says which dtype it gives, ``reduced`` for one that makes few numbers of many."""
    name = last_name(call.func)
    says = any(each.arg in _SAY_DTYPE for each in call.keywords) or (
        name in ("array", "asarray") and len(call.args) > 1
    )
    if says or name in _CASTS:
        return "cast"
    return "reduced" if is_plain and name in code_flow.REDUCTIONS else ""


def _operand(node: ast.AST, widened: WideningOperation) -> ast.expr | None:
    """Return the operand of the operation at `node` that is widened."""
    match node:
        case ast.Expr(value=value) | ast.Return(value=ast.expr() as value) | ast.Assign(value=value):
            return _operand(value, widened)
        case ast.BinOp(left=left, right=right):
            return (left, right)[widened.place] if widened.place < 2 else None
        case ast.AugAssign(value=value):
            return value if widened.place == 1 else None
        case ast.Call(args=operands) if last_name(node.func) == widened.name and len(operands) > widened.place:
            says = any(each.arg in _SAY_DTYPE for each in node.keywords)
            return None if says or isinstance(operands[widened.place], ast.Starred) else operands[widened.place]
    return None


def _finding(code: FollowedFile, span: Span, operand: ast.expr, widened: WideningOperation) -> Finding:
    text, place = code.tree.written(operand), code.tree.span(operand)
    parts: dict[str, object] = {
        "line": span.line,
        "narrow": widened.narrow,
        "wide": widened.wide,
        "operand": f"`{text}`" if is_quotable(place, text) else say("the operand"),
        "type": f"`{widened.operand}`",
    }
    if widened.is_number:
        message = say(
            "On line {line} {narrow} becomes {wide}, because {operand} is of type {type}, not a Python number. "
            "Everything computed from it is {wide} too. Use a Python number, as float(...) gives it: it takes the "
            "dtype of the array; if you mean {wide}, say so with astype.",
            **parts,
        )
    else:
        message = say(
            "On line {line} {narrow} becomes {wide}, because {operand} is an array of {type}. Everything "
            "computed from it is {wide} too. Convert the array to {narrow} first; if you mean {wide}, say so with "
            "astype.",
            **parts,
        )
    other = msgspec.structs.replace(place, file=span.file)
    return Finding(KIND, "warning", message, tuple(dict.fromkeys((span, other))), lesson=lesson_of(KIND))
