"""User code as a tree whose nodes have their text, span and parents; and the edits and fixes that change it."""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import cast

import msgspec

from explorer.messages import Edit, Fix, Span
from explorer.text.text import Text
from explorer.worker.syntax.scopes import FunctionNode, Placed, Scope, scopes_of

MAX_QUOTED = 50


class CodeTree(msgspec.Struct, frozen=True, eq=False, dict=True):
    """One version of the code."""

    text: str
    lines: list[str]
    tree: ast.Module
    parents: dict[ast.AST, ast.AST]
    """The parent of each node except the root, outer nodes first."""

    @classmethod
    def of(cls, text: str) -> CodeTree:
        """Return `text` as a tree. Raises SyntaxError or ValueError for invalid code."""
        tree = ast.parse(text)
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        return cls(text, text.split("\n"), tree, parents)

    @functools.cached_property
    def scopes(self) -> dict[ast.AST, Scope]:
        """The scopes of the module, and of the functions, classes and comprehensions in it, by their nodes."""
        return self._scopes[0]

    @functools.cached_property
    def names(self) -> dict[Placed, Scope]:
        """The scope in which each name, parameter, definition and import stands."""
        return self._scopes[1]

    @functools.cached_property
    def _scopes(self) -> tuple[dict[ast.AST, Scope], dict[Placed, Scope]]:
        return scopes_of(self.tree)

    @functools.cached_property
    def _places(self) -> dict[Span, ast.expr | ast.stmt]:
        # Of two nodes in the same place it is the outer one that Python's position is of, and outer ones come first.
        nodes = [each for each in self.parents if isinstance(each, ast.expr | ast.stmt)]
        return {self.span(each): each for each in reversed(nodes)}

    @functools.cached_property
    def _calls(self) -> dict[tuple[int, int], ast.Call]:
        """Calls by where they end: of those over several lines Python does not say where they begin."""
        calls = [(self.span(each), each) for each in self.parents if isinstance(each, ast.Call)]
        return {(span.end_line, span.end_column): each for span, each in reversed(calls)}

    def at(self, span: Span) -> ast.expr | ast.stmt | None:
        """Return the node exactly at `span`, or None."""
        exactly = self._places.get(Span(span.line, span.column, span.end_line, span.end_column))
        return exactly if exactly is not None else self.call_at(span)

    def call_at(self, span: Span) -> ast.Call | None:
        """Return the outermost call that ends where `span` ends, or None."""
        return self._calls.get((span.end_line, span.end_column))

    def span(self, node: Placed) -> Span:
        """Return the span of `node`, with columns in characters."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(
            node.lineno,
            self._characters(node.lineno, node.col_offset),
            end_line,
            self._characters(end_line, end_column),
        )

    def written(self, node: Placed) -> str:
        """Return the source text of `node`."""
        return self._between(self.span(node))

    def replace(self, node: Placed, new: str) -> Edit:
        """Return the edit that replaces `node` by `new`. Raises ValueError inside an f-string."""
        self._refuse_strings(node)
        return Edit(self.span(node), self.written(node), new)

    def replace_through(self, first: Placed, last: Placed, new: str) -> Edit:
        """Return the edit that replaces everything from `first` to `last` by `new`."""
        start, end = self.span(first), self.span(last)
        span = Span(start.line, start.column, end.end_line, end.end_column)
        return Edit(span, self._between(span), new)

    def insert_before(self, statement: ast.stmt, line: str) -> Edit:
        """Return the edit that inserts `line` above `statement`, equally indented; in front of it on a shared line."""
        while isinstance(statement, ast.If) and self._is_elif(statement):
            statement = cast(ast.If, self.parents[statement])
        decorators = getattr(statement, "decorator_list", [])
        start = self.span(statement)
        row = min([start.line, *(each.lineno for each in decorators)])
        indent = self.lines[start.line - 1][: start.column]
        if indent.strip():
            return Edit(Span(row, start.column, row, start.column), "", f"{line}; ")
        return Edit(Span(row, 0, row, 0), "", f"{indent}{line}\n")

    def insert_after(self, node: Placed, new: str) -> Edit:
        """Return the edit that inserts `new` directly after `node`. Raises ValueError inside an f-string."""
        self._refuse_strings(node)
        end = self.span(node)
        return Edit(Span(end.end_line, end.end_column, end.end_line, end.end_column), "", new)

    def insert_ahead(self, node: Placed, new: str) -> Edit:
        """Return the edit that inserts `new` directly before `node`. Raises ValueError inside an f-string."""
        self._refuse_strings(node)
        start = self.span(node)
        return Edit(Span(start.line, start.column, start.line, start.column), "", new)

    def without(self, statement: ast.stmt) -> Edit:
        """Return the edit that removes the lines of `statement`. Raises ValueError if other code shares them."""
        span = self.span(statement)
        rows = self.lines[span.line - 1 : span.end_line]
        if "\n".join(rows).strip() != self.written(statement) or span.end_line >= len(self.lines):
            raise ValueError
        return Edit(Span(span.line, 0, span.end_line + 1, 0), "\n".join([*rows, ""]), "")

    def insert_at(self, line: int, column: int, new: str) -> Edit:
        """Return the edit that inserts `new` at this position."""
        return Edit(Span(line, column, line, column), "", new)

    def covering(self, span: Span) -> Iterator[ast.expr | ast.stmt]:
        """Yield the expressions and statements that contain all of `span`, innermost first."""
        start, end = (span.line, span.column), (span.end_line, span.end_column)
        found = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.expr | ast.stmt):
                own = self.span(node)
                if (own.line, own.column) <= start and end <= (own.end_line, own.end_column):
                    found.append(node)
        return reversed(found)

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the ancestors of `node`, nearest first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function_around(self, node: ast.AST) -> FunctionNode | None:
        """Return the innermost function around `node`, or None."""
        return next((each for each in self.around(node) if isinstance(each, FunctionNode)), None)

    def statement_around(self, node: ast.AST) -> ast.stmt | None:
        """Return the innermost statement that is or contains `node`, or None."""
        return next((each for each in (node, *self.around(node)) if isinstance(each, ast.stmt)), None)

    def _is_elif(self, statement: ast.If) -> bool:
        outer = self.parents.get(statement)
        return isinstance(outer, ast.If) and outer.orelse == [statement] and self.written(statement).startswith("elif")

    def _refuse_strings(self, node: Placed) -> None:
        # Python 3.11 has no positions inside f-strings.
        if any(isinstance(each, ast.JoinedStr) for each in self.around(node)):
            raise ValueError

    def _between(self, span: Span) -> str:
        lines = self.lines[span.line - 1 : span.end_line]
        if len(lines) == 1:
            return lines[0][span.column : span.end_column]
        return "\n".join([lines[0][span.column :], *lines[1:-1], lines[-1][: span.end_column]])

    def _characters(self, line: int, column: int) -> int:
        text = self.lines[line - 1]
        return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))


@functools.lru_cache(maxsize=8)
def readable(text: str) -> CodeTree | None:
    """Return `text` as a tree, None for invalid code."""
    try:
        return CodeTree.of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def code_file(filename: str) -> CodeTree | None:
    """Return the code of the file called `filename`, None where it cannot be read."""
    return readable("".join(linecache.getlines(filename)))


def last_name(node: ast.AST | None) -> str:
    """Return the last name in `node`: ``c`` of ``a.b.c`` and of ``c[0]``; empty if it has none."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def first_name(node: ast.AST) -> str:
    """Return the first name of ``a.b.c``; empty if it is no name with attributes."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def with_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` with `edits` applied."""
    lines = text.split("\n")
    # An insertion precedes a replacement at the same position.
    for edit in sorted(edits, key=lambda edit: (edit.span.line, edit.span.column, bool(edit.old)), reverse=True):
        span = edit.span
        before, after = lines[span.line - 1][: span.column], lines[span.end_line - 1][span.end_column :]
        lines[span.line - 1 : span.end_line] = f"{before}{edit.new}{after}".split("\n")
    return "\n".join(lines)


def fix(code: CodeTree, label: Text, *edits: Edit) -> Fix:
    """Return the fix with `edits`, plus imports of jax and jnp if they are used but not bound."""
    imports = []
    bound = set(_bound(code))
    for name, line in (("jax", "import jax"), ("jnp", "import jax.numpy as jnp")):
        if name not in bound and any(f"{name}." in edit.new for edit in edits):
            imports.append(_import(code, line))
    return Fix(label, tuple(_merged([*imports, *edits])))


def tried(code: CodeTree, label: Text, edits: Callable[[], Iterable[Edit]]) -> Iterator[Fix]:
    """Yield the fix with `edits`, unless the code does not have the expected form."""
    with suppress(ValueError, TypeError, AttributeError, IndexError, KeyError, RuntimeError):
        made = list(edits())
        if made:
            yield fix(code, label, *made)


def _merged(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield `edits` in the order of the code, insertions at one place merged. Raises ValueError for overlaps."""
    by_place: dict[Span, Edit] = {}
    for edit in edits:
        before = by_place.get(edit.span)
        if before is None:
            by_place[edit.span] = edit
        elif edit.old and edit != before:
            raise ValueError
        elif not edit.old:
            by_place[edit.span] = Edit(edit.span, "", before.new + edit.new)
    last = (0, 0)
    for edit in sorted(by_place.values(), key=lambda edit: (edit.span.line, edit.span.column, bool(edit.old))):
        if (edit.span.line, edit.span.column) < last:
            raise ValueError
        last = (edit.span.end_line, edit.span.end_column)
        yield edit


def _import(code: CodeTree, line: str) -> Edit:
    first = next((each for each in code.tree.body if not _must_be_first(each)), None)
    place = first.lineno if first else 1
    if isinstance(first, ast.FunctionDef | ast.ClassDef) and first.decorator_list:
        place = first.decorator_list[0].lineno
    return Edit(Span(place, 0, place, 0), "", f"{line}\n")


def _must_be_first(statement: ast.stmt) -> bool:
    docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return docstring or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")


def _bound(code: CodeTree) -> Iterator[str]:
    for node in code.parents:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (each.asname or each.name.partition(".")[0] for each in node.names)


def lengths(text: str) -> list[int]:
    """Return the lengths in a shape such as ``3, 4``."""
    return [int(each) for each in text.replace(" ", "").split(",") if each]


def is_quotable(span: Span, text: str) -> bool:
    """Return whether a sentence may quote `text`, the source at `span`: one line of up to 50 characters."""
    return span.line == span.end_line and len(text) <= MAX_QUOTED
