"""A key from an enclosing scope, passed to a function and its callees as an argument instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Edit
from explorer.worker.errors.code_tree import CodeTree, FunctionNode
from explorer.worker.fixes.functions import (
    body_of,
    bound_in,
    free_names,
    function_of,
    loads,
)
from explorer.worker.fixes.spelling import is_key_like, names_of_keys
from explorer.worker.fixes.thread_argument import CallSite, thread_argument


def closed_over(code: CodeTree, function: FunctionNode) -> list[str]:
    """Return the key-like names that `function` or its callees read from an enclosing scope."""
    reading = [function, *_called(code, function)]
    own, keys = bound_in(function), names_of_keys(code)
    names = [name for each in reading for name in free_names(each) if name in keys or is_key_like(ast.Name(name))]
    return [name for name in dict.fromkeys(names) if name not in own and not isinstance(_called_so(code, name), int)]


def handed_down(code: CodeTree, function: FunctionNode, name: str, value: str) -> Iterator[Edit]:
    """Yield the edits that pass `name` to the callees of `function` that read it from an enclosing scope.

    `function` passes it as `value`, other callers as `name`. Raises ValueError if a vmap maps such a call.
    """

    def value_at(site: CallSite) -> str:
        if site.is_mapped:
            raise ValueError
        return value if any(each is function for each in code.around(site.call)) else name

    for reader in _called(code, function):
        if _reads(code, reader, name):
            yield from thread_argument(code, reader, name, value_at)


def _called_so(code: CodeTree, name: str) -> int | None:
    """Return 0 if `name` names a function, a class or a module, so no key; else None."""
    for node in code.parents:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return 0
        if isinstance(node, ast.alias) and (node.asname or node.name) == name:
            return 0
    return None


def _reads(code: CodeTree, function: FunctionNode, name: str) -> bool:
    if name in bound_in(function):
        return False
    return bool(loads(function, name)) or any(_reads(code, each, name) for each in _called(code, function))


def _called(code: CodeTree, function: FunctionNode, depth: int = 3) -> list[FunctionNode]:
    """Return the functions of the code that `function` names, and those named in turn, up to `depth` levels."""
    found: list[FunctionNode] = []
    for part in body_of(function):
        for node in ast.walk(part):
            other = function_of(code, node) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else None
            inside = other is not None and any(each is function for each in code.around(other))
            if other is None or other is function or inside or other in found:
                continue
            found.append(other)
            if depth:
                found += [
                    each for each in _called(code, other, depth - 1) if each not in found and each is not function
                ]
    return found
