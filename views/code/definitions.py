"""Finds where a name is defined in the same Python text."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

Place = tuple[int, int]
"""Line, counted from 1, and column in characters, counted from 0."""
MOST_LINES_LEFT_OUT = 3
"""The most half-typed lines to leave out for parsing; code that needs more is not parsed."""
_INDENT = re.compile(r"\s*")
Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass
class Scope:
    """A module, class, function or comprehension, and where names are bound in it."""

    above: Scope | None = None
    is_class: bool = False
    bound: dict[str, list[Place]] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)
    """Names that are ``global`` or ``nonlocal``."""


def definition(source: str, place: Place) -> Place | None:
    """Return the binding of the name at `place`: of several the last one before it, else the first.

    None where there is no name, where it is bound elsewhere, and where the code cannot be parsed.
    """
    tree = _readable(source)
    if tree is None:
        return None
    reader = _Reader(source.split("\n"))
    reader.visit(tree)
    used = next((each for each in reader.used if _holds(each, place)), None)
    if used is None:
        return None
    name, at, scope = used
    found = sorted(_bound(name, scope))
    return max((each for each in found if each <= at), default=next(iter(found), None))


def _holds(used: tuple[str, Place, Scope], place: Place) -> bool:
    name, (line, column), _ = used
    return line == place[0] and column <= place[1] <= column + len(name)


def _readable(source: str) -> ast.Module | None:
    """Return `source` as a tree, lines left out that Python does not understand."""
    lines = source.split("\n")
    for _ in range(MOST_LINES_LEFT_OUT + 1):
        try:
            return ast.parse("\n".join(lines))
        except (SyntaxError, ValueError, RecursionError) as error:
            row = getattr(error, "lineno", None)
            if row is None or not 1 <= row <= len(lines):
                return None
            indentation = _INDENT.match(lines[row - 1])
            lines[row - 1] = (indentation[0] if indentation else "") + "pass"
    return None


def _bound(name: str, scope: Scope) -> list[Place]:
    """Return the bindings of `name` for code in `scope`, by Python's rules."""
    here: Scope | None = scope
    declared = scope.declared.get(name)
    if declared == "nonlocal":
        here = scope.above
    while here is not None:
        is_seen = (here is scope or not here.is_class) and (declared != "global" or here.above is None)
        if is_seen and name in here.bound:
            return here.bound[name]
        here = here.above
    return []


class _Reader(ast.NodeVisitor):
    """Collects the names of a syntax tree: their bindings, and their uses by scope."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._scope = Scope()
        self.used: list[tuple[str, Place, Scope]] = []

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id, node)
        self._use(node.id, self._place(node))

    def visit_arg(self, node: ast.arg) -> None:
        self._bind(node.arg, node)
        self._use(node.arg, self._place(node))

    def visit_FunctionDef(self, node: Function) -> None:
        self._bind_named(node.name, node)
        arguments = node.args
        all_arguments = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        all_arguments += filter(None, (arguments.vararg, arguments.kwarg))
        annotations = [each.annotation for each in all_arguments]
        outside = (*node.decorator_list, *arguments.defaults, *arguments.kw_defaults, *annotations, node.returns)
        self._visit_all(*outside)
        self._within(Scope(self._scope), *all_arguments, *node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_all(*node.args.defaults, *node.args.kw_defaults)
        bare = ast.arguments(**{**vars(node.args), "defaults": [], "kw_defaults": []})
        self._within(Scope(self._scope), bare, node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind_named(node.name, node)
        self._visit_all(*node.decorator_list, *node.bases, *node.keywords)
        self._within(Scope(self._scope, is_class=True), *node.body)

    def visit_ListComp(self, node: Comprehension) -> None:
        first, *others = node.generators
        self.visit(first.iter)
        results = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        self._within(Scope(self._scope), first.target, *first.ifs, *others, *results)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp  # noqa: N815

    def visit_alias(self, node: ast.alias) -> None:
        self._bind_named((node.asname or node.name).split(".")[0], node)

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar | ast.ExceptHandler) -> None:
        if node.name:
            self._bind_named(node.name, node)
        self.generic_visit(node)

    visit_ExceptHandler = visit_MatchStar = visit_MatchAs  # noqa: N815

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        word = "global" if isinstance(node, ast.Global) else "nonlocal"
        self._scope.declared.update(dict.fromkeys(node.names, word))

    visit_Nonlocal = visit_Global  # noqa: N815

    # -- noting -------------------------------------------------------------------------------

    def _within(self, scope: Scope, *nodes: ast.AST | None) -> None:
        outer, self._scope = self._scope, scope
        self._visit_all(*nodes)
        self._scope = outer

    def _visit_all(self, *nodes: ast.AST | None) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def _bind(self, name: str, node: ast.expr | ast.arg) -> None:
        self._note(name, self._place(node))

    def _bind_named(self, name: str, node: ast.stmt | ast.alias | ast.ExceptHandler | ast.pattern) -> None:
        """Note a name in the first lines of `node`, which does not have its position."""
        for line in range(node.lineno, min(node.lineno + 2, len(self._lines)) + 1):
            start = self._place(node)[1] if line == node.lineno else 0
            found = re.compile(rf"\b{re.escape(name)}\b").search(self._lines[line - 1], start)
            if found:
                self._note(name, (line, found.start()))
                self._use(name, (line, found.start()))
                return

    def _note(self, name: str, place: Place) -> None:
        self._scope.bound.setdefault(name, []).append(place)

    def _use(self, name: str, place: Place) -> None:
        self.used.append((name, place, self._scope))

    def _place(self, node: ast.expr | ast.stmt | ast.arg | ast.alias | ast.ExceptHandler | ast.pattern) -> Place:
        """Return where `node` begins; Python counts columns in bytes."""
        line = self._lines[node.lineno - 1]
        return node.lineno, len(line.encode()[: node.col_offset].decode(errors="replace"))
