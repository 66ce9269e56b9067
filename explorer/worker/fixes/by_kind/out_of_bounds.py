"""Fixes for indices beyond the end: the last element, or JAX's silent mode made explicit."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Edit, Finding, Fix
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.spelling import in_brackets
from explorer.worker.syntax.code_tree import CodeTree, fix, last_name

_UPDATES = ("set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply")
_TAKING = ("take", "take_along_axis")


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes for the index at the span of `finding`; all but the first keep every result unchanged."""
    node = next(code.covering(finding.spans[0]), None)
    if isinstance(node, ast.Subscript) and _is_length_of(code, node):
        array = code.written(node.value)
        yield fix(code, label("last_element", new=f"{array}[-1]"), code.replace(node.slice, "-1"))
    # The mode that keeps the result.
    mode = finding.message.param("mode")
    if not isinstance(mode, str):
        return
    argument = f'mode="{mode}"'
    if isinstance(node, ast.Subscript) and mode != "drop" and isinstance(node.ctx, ast.Load):
        if isinstance(node.value, ast.Attribute) and node.value.attr == "at":
            return
        new = f"{in_brackets(code, node.value)}.at[{code.written(node.slice)}].get({argument})"
        yield fix(code, label(mode, mode=argument), code.replace(node, new))
    elif isinstance(node, ast.Call) and not any(each.arg == "mode" for each in node.keywords):
        updates = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Subscript)
        takes = last_name(node.func) in (*_TAKING, "get") and mode != "drop"
        segments = last_name(node.func).startswith("segment_") and mode == "drop"
        if takes or segments or (updates and last_name(node.func) in _UPDATES and mode == "drop"):
            yield fix(code, label(mode, mode=argument), _behind_arguments(code, node, argument))


def _is_length_of(code: CodeTree, node: ast.Subscript) -> bool:
    """Return whether the index is the length of the array, one beyond its last index."""
    if not isinstance(node.ctx, ast.Load):
        return False
    array = code.written(node.value)
    return code.written(node.slice) in (f"len({array})", f"{array}.shape[0]", f"{array}.size")


def _behind_arguments(code: CodeTree, call: ast.Call, new: str) -> Edit:
    """Return the edit that appends the argument `new` to `call`.

    Raises ValueError if `call` unpacks arguments with * or **.
    """
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        raise ValueError
    end = code.span(call)
    before = code.lines[end.end_line - 1][: end.end_column - 1]
    has_some = bool(call.args or call.keywords)
    comma = ", " if has_some and not before.rstrip().endswith(",") else " " if has_some else ""
    return code.insert_at(end.end_line, end.end_column - 1, f"{comma}{new}")
