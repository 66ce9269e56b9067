"""Which names the place of the cursor can see."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from explorer.worker.code.known_names import Scope, Thing

_IMPORT = re.compile(r"^\s*import\s+([\w.]+)(?:\s+as\s+(\w+))?\s*$", re.MULTILINE)
_INSIDE = " \t)]}#"
"""A line that begins so does not begin a statement at the top level."""
_FROM = re.compile(r"^\s*from\s+([\w.]+)\s+import\s+(\w+)(?:\s+as\s+(\w+))?\s*$", re.MULTILINE)


def around(source: str, line: int, module: Mapping[str, Any], arguments: Mapping[str, Thing]) -> Scope:
    """Return what line `line` of `source` sees, where the program that loaded last had the names of `module`."""
    tree = _readable(source, line)
    parameters: set[str] = set()
    assigned: dict[str, ast.expr] = {}
    for function in _functions_around(tree, line) if tree else ():
        parameters.update(each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg))
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and node.lineno <= line:
                assigned.update({each.id: node.value for each in node.targets if isinstance(each, ast.Name)})
    visible = {**_imported(source), **module}
    return Scope(visible, arguments, frozenset(parameters), assigned)


def _readable(source: str, line: int) -> ast.Module | None:
    """Return the tree of the top-level statement around `line`, its lines counted as in `source`.

    Where Python cannot read it, the line itself is left out: it is the one that is being written.
    """
    lines = source.split("\n")
    first, last = _statement_around(lines, line - 1)
    block, place = lines[first:last], line - 1 - first
    written = lines[line - 1]
    without = [*block[:place], written[: len(written) - len(written.lstrip())] + "pass", *block[place + 1 :]]
    for attempt in (block, without):
        try:
            return ast.increment_lineno(ast.parse("\n".join(attempt)), first)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def _statement_around(lines: list[str], row: int) -> tuple[int, int]:
    """Return the rows between which the top-level statement around `row` stands, the second exclusive."""
    first = row
    while first and (not lines[first] or lines[first][0] in _INSIDE):
        first -= 1
    last = row + 1
    while last < len(lines) and (not lines[last] or lines[last][0] in _INSIDE):
        last += 1
    return first, last


def _functions_around(tree: ast.Module, line: int) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        # The line below a function may become its next one.
        if node.lineno <= line <= (node.end_lineno or line) + isinstance(node, ast.FunctionDef):
            yield node


def _imported(source: str) -> dict[str, Any]:
    """Return what the import lines of `source` bind, as far as it is loaded already: nothing is imported here."""
    found: dict[str, Any] = {}
    for match in _IMPORT.finditer(source):
        path, alias = match[1], match[2]
        name = alias or path.partition(".")[0]
        if (module := sys.modules.get(path if alias else name)) is not None:
            found[name] = module
    for match in _FROM.finditer(source):
        module = sys.modules.get(match[1])
        if module is not None and match[2] in module.__dict__:
            found[match[3] or match[2]] = module.__dict__[match[2]]
    return found
