"""The functions and values behind the names of a program."""

from __future__ import annotations

import ast

from explorer.worker.syntax.code_tree import CodeTree, last_name
from explorer.worker.syntax.scopes import FunctionNode

WRAPPERS = (
    "jit",
    "grad",
    "value_and_grad",
    "checkpoint",
    "remat",
    "filter_jit",
    "filter_grad",
    "filter_value_and_grad",
)
"""Names of functions that take a function and return one with the same arguments."""


def parameters(function: FunctionNode) -> list[ast.arg]:
    """Return the parameters of `function` that can be passed by position."""
    return [*function.args.posonlyargs, *function.args.args]


def function_of(code: CodeTree, node: ast.AST) -> FunctionNode | None:
    """Return the function that the expression `node` refers to, through names and wrappers; None if it is unknown."""
    for _ in range(8):
        if isinstance(node, FunctionNode):
            return node
        if isinstance(node, ast.Call) and last_name(node.func) in WRAPPERS and node.args:
            node = node.args[0]
        elif isinstance(node, ast.Name):
            found = value_of(code, node)
            if found is None:
                return None
            node = found
        else:
            return None
    return None


def value_of(code: CodeTree, name: ast.Name) -> ast.AST | None:
    """Return the function or expression that `name` is bound to, or None.

    Of several values, the last one above the name counts.
    """
    scope = code.names[name].owner(name.id)
    values = [each.value for each in scope.bindings[name.id] if each.is_whole] if scope is not None else []
    # In ``f = jit(f)`` the inner f is the earlier value.
    found = [each for each in values if isinstance(each, FunctionNode) or (each and name not in ast.walk(each))]
    before = [each for each in found if each.lineno <= name.lineno]
    return next(reversed(before or found), None)
