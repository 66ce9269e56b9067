"""Where a name in the editor is defined, in code that may be half typed."""

from __future__ import annotations

import ast
import re

from explorer.worker.syntax.code_tree import CodeTree, readable
from explorer.worker.syntax.scopes import Placed

MOST_LINES_LEFT_OUT = 3
"""The most half-typed lines to leave out for parsing; code that needs more is not parsed."""
_INDENT = re.compile(r"\s*")


def definition(source: str, line: int, column: int) -> tuple[int, int] | None:
    """Return line and column of the binding of the name at a place: of several the last one before it, else the first.

    None where there is no name, where it is bound elsewhere, and where the code cannot be parsed.
    """
    code = _half_typed(source)
    for node, scope in code.names.items() if code is not None else ():
        name = _name(node)
        place = _place(code, node, name) if code is not None else (0, 0)
        if code is not None and place[0] == line and place[1] <= column <= place[1] + len(name):
            owner = scope.owner(name)
            bound = [each.node for each in owner.bindings[name]] if owner is not None else []
            # A function that declares the name global may bind it, too.
            nodes = [each for each in bound if code.names[each] is owner] or bound
            found = sorted(_place(code, each, name) for each in nodes)
            return max((each for each in found if each <= place), default=next(iter(found), None))
    return None


def _half_typed(source: str) -> CodeTree | None:
    """Return `source` as a tree, lines left out that Python does not understand."""
    lines = source.split("\n")
    for _ in range(MOST_LINES_LEFT_OUT + 1):
        code = readable("\n".join(lines))
        if code is not None:
            return code
        try:
            ast.parse("\n".join(lines))
        except (SyntaxError, ValueError, RecursionError) as error:
            row = getattr(error, "lineno", None)
            if row is None or not 1 <= row <= len(lines):
                return None
            indentation = _INDENT.match(lines[row - 1])
            lines[row - 1] = (indentation[0] if indentation else "") + "pass"
    return None


def _name(node: ast.AST) -> str:
    """Return the name that stands at `node`, or that it binds."""
    match node:
        case ast.Name(id=name) | ast.arg(arg=name):
            return name
        case ast.alias(name=name, asname=other):
            return (other or name).partition(".")[0]
    return str(getattr(node, "name", ""))


def _place(code: CodeTree, node: Placed, name: str) -> tuple[int, int]:
    """Return where `name` stands in the first lines of `node`, which begins with another word if it is a definition."""
    line, column = code.span(node).line, code.span(node).column
    for row in range(line, min(line + 2, len(code.lines)) + 1):
        found = re.compile(rf"\b{re.escape(name)}\b").search(code.lines[row - 1], column if row == line else 0)
        if found:
            return row, found.start()
    return line, column
