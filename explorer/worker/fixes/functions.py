"""Functions of one program: their definitions, and the names that they read and bind."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from explorer.worker.errors.code_tree import CodeTree, FunctionNode
from explorer.worker.fixes.spelling import last_name

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
FunctionOrCode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


def body_of(function: FunctionOrCode) -> Sequence[ast.AST]:
    """Return the statements of `function`; for a lambda, its expression."""
    return [function.body] if isinstance(function, ast.Lambda) else function.body


def parameters(function: FunctionNode) -> list[ast.arg]:
    """Return the parameters of `function` that can be passed by position."""
    return [*function.args.posonlyargs, *function.args.args]


def loads(function: FunctionOrCode, name: str) -> list[ast.Name]:
    """Return the reads of `name` in the body of `function`, except in inner functions with a parameter `name`."""
    return [each for part in body_of(function) for each in _loads(part, name)]


def _loads(node: ast.AST, name: str) -> Iterator[ast.Name]:
    if isinstance(node, FunctionNode) and name in _own_arguments(node):
        return
    if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _loads(child, name)


def bound_in(function: FunctionOrCode) -> set[str]:
    """Return the arguments of `function` and the names that it binds."""
    own = set() if isinstance(function, ast.Module) else _own_arguments(function)
    for part in body_of(function):
        own |= set(_stored(part))
    return own


def _stored(node: ast.AST) -> Iterator[str]:
    if isinstance(node, FunctionNode | ast.ClassDef):
        if not isinstance(node, ast.Lambda):
            yield node.name
        return
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    for child in ast.iter_child_nodes(node):
        yield from _stored(child)


def _own_arguments(function: FunctionNode) -> set[str]:
    return {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}


def free_names(function: FunctionNode) -> list[str]:
    """Return the names that `function` reads but does not bind, in source order."""
    own = bound_in(function)
    named = [each for part in body_of(function) for each in ast.walk(part) if isinstance(each, ast.Name)]
    return [name for name in dict.fromkeys(each.id for each in named) if name not in own and loads(function, name)]


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
    """Return the function or expression bound to `name` in the nearest scope, or None.

    Of several values, the last one above the name counts.
    """
    scopes = [each for each in code.around(name) if isinstance(each, FunctionOrCode)]
    for scope in scopes:
        found = [value for bound, value in _bindings(scope) if bound == name.id]
        # In ``f = jit(f)`` the inner f is the earlier value.
        found = [each for each in found if isinstance(each, FunctionNode) or name not in ast.walk(each)]
        before = [each for each in found if getattr(each, "lineno", 0) <= name.lineno]
        if found:
            return (before or found)[-1]
        if name.id in bound_in(scope):
            return None
    return None


def _bindings(scope: FunctionOrCode) -> Iterator[tuple[str, ast.AST]]:
    for part in body_of(scope):
        for node in _within(part):
            if isinstance(node, ast.FunctionDef):
                yield node.name, node
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    yield from _pairs(target, node.value)
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                yield from _pairs(node.target, node.value)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, other in zip(target.elts, value.elts, strict=True):
            yield from _pairs(one, other)


def _within(node: ast.AST) -> Iterator[ast.AST]:
    """Yield `node` and its descendants, without the bodies of functions and classes."""
    yield node
    if not isinstance(node, FunctionNode | ast.ClassDef):
        for child in ast.iter_child_nodes(node):
            yield from _within(child)
