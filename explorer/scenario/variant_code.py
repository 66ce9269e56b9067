"""The code that a variant consists of, without comments, docstrings and the names of functions and arguments."""

from __future__ import annotations

import ast
from functools import lru_cache

_Top = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@lru_cache(maxsize=8)
def code_of(source: str, variant: str) -> str | None:
    """Return the code of the function `variant` in `source` and of everything there that it uses, by name.

    None where `source` has no such function.
    """
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    known = {name: node for node in body if isinstance(node, _Top) for name in _names_of(node)}
    if not isinstance(known.get(variant), ast.FunctionDef):
        return None
    found: dict[int, ast.stmt] = {}
    waiting = [known[variant]]
    while waiting:
        node = waiting.pop()
        if id(node) in found:
            continue
        found[id(node)] = node
        waiting += [known[each.id] for each in ast.walk(node) if isinstance(each, ast.Name) and each.id in known]
    return "\n".join(ast.unparse(_bare(node)) for node in found.values())


def _names_of(node: _Top) -> list[str]:
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
    return [node.name]


def _bare(node: ast.stmt) -> ast.stmt:
    copy = ast.parse(ast.unparse(node)).body[0]
    for each in ast.walk(copy):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            # The author named the variant: `fold_in_each_step` folds in nothing by its name.
            each.name = "_"
            each.args = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        if (
            isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and ast.get_docstring(each) is not None
        ):
            each.body = each.body[1:] or [ast.Pass()]
    return copy
