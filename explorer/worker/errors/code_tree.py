"""The person's code as a tree whose parts know their text, their place and what they stand in."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from explorer.messages import Edit, Fix, Span

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Placed = ast.expr | ast.stmt | ast.keyword


@dataclass(frozen=True)
class CodeTree:
    """One version of the code."""

    text: str
    lines: list[str]
    tree: ast.Module
    parents: dict[ast.AST, ast.AST]

    @classmethod
    def of(cls, text: str) -> CodeTree:
        """Return `text` as a tree. Raises SyntaxError or ValueError where Python cannot read it."""
        tree = ast.parse(text)
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        return cls(text, text.split("\n"), tree, parents)

    def span(self, node: Placed) -> Span:
        """Return where `node` stands, in characters."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(
            node.lineno,
            self._characters(node.lineno, node.col_offset),
            end_line,
            self._characters(end_line, end_column),
        )

    def written(self, node: Placed) -> str:
        """Return the text of `node` as it is written."""
        return self._between(self.span(node))

    def replace(self, node: Placed, new: str) -> Edit:
        """Return the edit that puts `new` in place of `node`."""
        return Edit(self.span(node), self.written(node), new)

    def replace_through(self, first: Placed, last: Placed, new: str) -> Edit:
        """Return the edit that puts `new` in place of everything from `first` to `last`."""
        start, end = self.span(first), self.span(last)
        span = Span(start.line, start.column, end.end_line, end.end_column)
        return Edit(span, self._between(span), new)

    def insert_before(self, statement: ast.stmt, line: str) -> Edit:
        """Return the edit that puts `line` above `statement`, indented alike."""
        start = self.span(statement)
        indent = self.lines[start.line - 1][: start.column]
        place = Span(start.line, 0, start.line, 0)
        return Edit(place, "", f"{indent}{line}\n")

    def insert_after(self, node: Placed, new: str) -> Edit:
        """Return the edit that puts `new` directly behind `node`."""
        end = self.span(node)
        return Edit(Span(end.end_line, end.end_column, end.end_line, end.end_column), "", new)

    def covering(self, span: Span) -> Iterator[ast.expr | ast.stmt]:
        """Yield the expressions and statements that hold the whole of `span`, the innermost first."""
        start, end = (span.line, span.column), (span.end_line, span.end_column)
        found = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.expr | ast.stmt):
                own = self.span(node)
                if (own.line, own.column) <= start and end <= (own.end_line, own.end_column):
                    found.append(node)
        return reversed(found)

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what `node` stands in, the nearest first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function_around(self, node: ast.AST) -> FunctionNode | None:
        """Return the innermost function that `node` is in the body of."""
        return next((each for each in self.around(node) if isinstance(each, FunctionNode)), None)

    def statement_around(self, node: ast.AST) -> ast.stmt | None:
        """Return the innermost statement that `node` is or stands in."""
        return next((each for each in (node, *self.around(node)) if isinstance(each, ast.stmt)), None)

    def _between(self, span: Span) -> str:
        lines = self.lines[span.line - 1 : span.end_line]
        if len(lines) == 1:
            return lines[0][span.column : span.end_column]
        return "\n".join([lines[0][span.column :], *lines[1:-1], lines[-1][: span.end_column]])

    def _characters(self, line: int, column: int) -> int:
        text = self.lines[line - 1]
        return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))


def readable(text: str) -> CodeTree | None:
    """Return `text` as a tree, None where Python cannot read it."""
    try:
        return CodeTree.of(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def with_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` with `edits` made."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: (edit.span.line, edit.span.column), reverse=True):
        span = edit.span
        before, after = lines[span.line - 1][: span.column], lines[span.end_line - 1][span.end_column :]
        lines[span.line - 1 : span.end_line] = f"{before}{edit.new}{after}".split("\n")
    return "\n".join(lines)


def fix(code: CodeTree, label: str, *edits: Edit) -> Fix:
    """Return the fix that makes `edits`, and that imports jax and jnp where they are used but not bound."""
    made = list(edits)
    bound = set(_bound(code.tree))
    for name, line in (("jnp", "import jax.numpy as jnp"), ("jax", "import jax")):
        if name not in bound and any(f"{name}." in edit.new for edit in edits):
            made.append(_import(code, line))
    return Fix(label, tuple(sorted(made, key=lambda edit: (edit.span.line, edit.span.column))))


def _import(code: CodeTree, line: str) -> Edit:
    first = next((each for each in code.tree.body if not _must_be_first(each)), None)
    place = first.lineno if first else 1
    if isinstance(first, ast.FunctionDef | ast.ClassDef) and first.decorator_list:
        place = first.decorator_list[0].lineno
    return Edit(Span(place, 0, place, 0), "", f"{line}\n")


def _must_be_first(statement: ast.stmt) -> bool:
    docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return docstring or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")


def _bound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (each.asname or each.name.partition(".")[0] for each in node.names)


def lengths(text: str) -> list[int]:
    """Return the lengths in a shape such as ``3, 4``."""
    return [int(each) for each in text.replace(" ", "").split(",") if each]
