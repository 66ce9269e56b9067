"""Fixes for tracers that leave a traced function: copy the values out at run time, or drop the assignment."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Edit, Finding, Fix, Span
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.functions import reads
from explorer.worker.syntax.code_tree import CodeTree, fix, last_name
from explorer.worker.syntax.scopes import FunctionNode

_ADDING = ("append", "add", "appendleft")


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes for the statement at the first of `spans`, which stores a tracer outside."""
    statement = next((each for each in code.covering(finding.spans[0]) if isinstance(each, ast.stmt)), None)
    function = code.function_around(statement) if statement is not None else None
    if statement is None or function is None:
        return
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute) and call.func.attr in _ADDING and len(call.args) == 1:
            new = f"jax.debug.callback({code.written(call.func)}, {code.written(call.args[0])})"
            holder = last_name(call.func.value)
            yield fix(code, label("copy_out"), code.replace(call, new), *_waits(code, function, holder))
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        yield from _assigned(code, statement, function)


def _assigned(code: CodeTree, statement: ast.Assign, function: FunctionNode) -> Iterator[Fix]:
    target, value = statement.targets[0], code.written(statement.value)
    name = last_name(target.value) if isinstance(target, ast.Subscript) else last_name(target)
    if not name:
        return
    readers = [each for each in reads(code, name) if each is not getattr(target, "value", None)]
    if not readers:
        yield fix(code, label("drop_assignment", target=code.written(target)), _without(code, statement))
    if isinstance(target, ast.Attribute):
        setting = f'setattr({code.written(target.value)}, "{target.attr}", value)'
    elif isinstance(target, ast.Subscript):
        setting = f"{code.written(target.value)}.update({{{code.written(target.slice)}: value}})"
    elif any(isinstance(each, ast.Global) and name in each.names for each in ast.walk(function)):
        setting = f"globals().update({name}=value)"
    else:
        return
    if any(code.function_around(each) is function for each in readers):
        # A value that the function itself reads must be available during the trace.
        return
    new = f"jax.debug.callback(lambda value: {setting}, {value})"
    yield fix(code, label("copy_out"), code.replace(statement, new), *_waits(code, function, name))


def _without(code: CodeTree, statement: ast.stmt) -> Edit:
    body = getattr(code.parents[statement], "body", [])
    span = code.span(statement)
    if body == [statement] or span.line != span.end_line:
        return code.replace(statement, "pass")
    line = code.lines[span.line - 1]
    behind = line.strip().removeprefix(code.written(statement)).strip()
    if behind and not behind.startswith("#"):
        return code.replace(statement, "pass")
    return Edit(Span(span.line, 0, span.line + 1, 0), f"{line}\n", "")


def _waits(code: CodeTree, function: FunctionNode, name: str) -> Iterator[Edit]:
    """Yield the edit that waits for the values, before another function first reads `name`.

    The values arrive after the device has run.
    """
    for node in reads(code, name):
        around = code.function_around(node)
        statement = code.statement_around(node)
        if around is not None and around is not function and statement is not None and not _sets(statement, name):
            yield code.insert_before(statement, "jax.effects_barrier()")
            return


def _sets(statement: ast.stmt, name: str) -> bool:
    return isinstance(statement, ast.Assign) and name in map(last_name, statement.targets)
