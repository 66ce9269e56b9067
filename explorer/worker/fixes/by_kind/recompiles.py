"""Fixes for functions jitted anew in each iteration of a loop: jit once before it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Finding, Fix
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.spelling import free_name
from explorer.worker.syntax.code_tree import CodeTree, fix, last_name
from explorer.worker.syntax.scopes import FunctionNode


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that move a jit on one of the lines of `spans` out of its loops."""
    lines = {span.line for span in finding.spans}
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Call) and node.lineno in lines and last_name(node.func) == "jit" and node.args:
            loop = _outermost(code, node)
            if loop is not None:
                name = free_name(code, None, "jitted")
                edits = [code.insert_before(loop, f"{name} = {code.written(node)}"), code.replace(node, name)]
                yield fix(code, label("jit_once"), *edits)


def _outermost(code: CodeTree, call: ast.Call) -> ast.For | ast.While | None:
    """Return the outermost loop around `call`, in its function, that binds no name read by `call`."""
    read = {each.id for each in ast.walk(call) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    found = None
    for each in code.around(call):
        if isinstance(each, FunctionNode):
            break
        if isinstance(each, ast.For | ast.While):
            if read & (_bound(each) - {arg.arg for arg in ast.walk(call) if isinstance(arg, ast.arg)}):
                break
            found = each
    return found


def _bound(loop: ast.stmt) -> set[str]:
    names = {each.id for each in ast.walk(loop) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    return names | {each.name for each in ast.walk(loop) if isinstance(each, ast.FunctionDef | ast.ClassDef)}
