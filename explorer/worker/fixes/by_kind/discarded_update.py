"""Fixes for discarded array updates: the result is assigned.

See https://docs.jax.dev/en/latest/_autosummary/jax.Array.at.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Finding, Fix
from explorer.text.text import say
from explorer.worker.syntax.code_tree import CodeTree, fix


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fix that assigns the result of the statement at the first of `spans`, if it is read afterwards."""
    statement = next(each for each in code.covering(finding.spans[0]) if isinstance(each, ast.Expr))
    array = _updated(statement.value)
    root = array
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    if isinstance(root, ast.Name) and (root is not array or _is_read_after(code, statement, root.id)):
        target = code.written(array)
        label = say("Assign the result to {target}", target=target)
        yield fix(code, label, code.insert_ahead(statement, f"{target} = "))


def _updated(call: ast.expr) -> ast.expr:
    """Return the array at the start of the update `call`, through chained updates."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Attribute(value=array, attr="at")))):
            return _updated(array)
    return call


def _is_read_after(code: CodeTree, statement: ast.Expr, name: str) -> bool:
    """Return whether the variable `name` is bound around `statement`, and read after it or in its next iteration.

    A script may keep its last update for whoever runs it.
    """
    function = code.function_around(statement)
    whole = function if function is not None else code.tree
    loop = next((each for each in code.around(statement) if isinstance(each, ast.For | ast.While)), None)
    of_loop, own = set(ast.walk(loop)) if loop is not None else set(), set(ast.walk(statement))
    is_bound = is_read = False
    for each in ast.walk(whole):
        if isinstance(each, ast.arg) and each.arg == name:
            is_bound = True
        elif isinstance(each, ast.Name) and each.id == name and each not in own:
            is_store = isinstance(each.ctx, ast.Store)
            is_bound |= is_store and code.function_around(each) is function
            is_read |= not is_store and (each.lineno > statement.lineno or each in of_loop)
    return is_bound and (is_read or function is None)
