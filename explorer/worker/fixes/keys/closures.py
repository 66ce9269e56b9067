"""Keys that a function reads from an enclosing scope."""

from __future__ import annotations

import ast

from explorer.worker.errors.code_tree import CodeTree, FunctionNode
from explorer.worker.fixes.functions import free_names
from explorer.worker.fixes.spelling import is_key_like, names_of_keys


def closed_over(code: CodeTree, function: FunctionNode) -> list[str]:
    """Return the key-like names that `function` reads from an enclosing scope."""
    keys = names_of_keys(code)
    names = [name for name in free_names(function) if name in keys or is_key_like(ast.Name(name))]
    return [name for name in names if not _is_no_key(code, name)]


def _is_no_key(code: CodeTree, name: str) -> bool:
    """Return whether `name` names a function, a class or a module."""
    return any(
        (isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name)
        or (isinstance(node, ast.alias) and (node.asname or node.name) == name)
        for node in code.parents
    )
