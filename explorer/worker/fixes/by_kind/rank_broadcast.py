"""Fixes for operands of which all pairs are combined: the one with an extra axis of length 1 loses it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Edit, Finding, Fix
from explorer.text.text import say
from explorer.worker.syntax.code_tree import CodeTree, fix

_TIGHT = ast.Name | ast.Attribute | ast.Subscript | ast.Call


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that take the last axis from an operand at the first of `spans`: of one of them it has length 1.

    The other one raises, or finds no axis, in the trial.
    """
    operation = next(each for each in code.covering(finding.spans[0]) if isinstance(each, ast.BinOp | ast.Compare))
    operands = [operation.left, operation.right] if isinstance(operation, ast.BinOp) else [operation.left]
    operands += operation.comparators if isinstance(operation, ast.Compare) else []
    for each in operands:
        label = say("Take the last axis from {array}", array=code.written(each))
        yield fix(code, label, *_squeezed(code, each))


def _squeezed(code: CodeTree, array: ast.expr) -> Iterator[Edit]:
    span = code.span(array)
    before, behind = code.lines[span.line - 1][: span.column], code.lines[span.end_line - 1][span.end_column :]
    if isinstance(array, _TIGHT):
        yield code.insert_after(array, ".squeeze(-1)")
    elif before.endswith("(") and behind.startswith(")"):
        yield code.insert_at(span.end_line, span.end_column + 1, ".squeeze(-1)")
    else:
        yield code.replace(array, f"({code.written(array)}).squeeze(-1)")
