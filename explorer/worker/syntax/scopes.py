"""The names of a program by scope, by Python's rules: where each is bound, to what, and where it is read."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Literal

import msgspec

FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef
FunctionNode = FunctionDef | ast.Lambda
Placed = ast.expr | ast.stmt | ast.keyword | ast.arg | ast.alias | ast.ExceptHandler | ast.pattern
"""What has a position in the code."""
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Binding(msgspec.Struct, frozen=True):
    """A place that binds a name: an assignment, a loop, a parameter, a definition, an import."""

    node: Placed
    """The name or parameter there; the statement of a definition; the alias of an import."""
    value: ast.expr | FunctionDef | None = None
    """The expression or function that the name gets; for a loop what it goes through; None if the code does not say."""
    is_whole: bool = False
    """Whether the name gets the value itself, not a part or a result of it."""


class Scope(msgspec.Struct, eq=False, dict=True):
    """A module, function, class or comprehension."""

    node: ast.AST
    above: Scope | None
    bindings: dict[str, list[Binding]] = msgspec.field(default_factory=lambda: defaultdict(list))
    reads: dict[str, list[ast.Name]] = msgspec.field(default_factory=lambda: defaultdict(list))
    declared: dict[str, Literal["global", "nonlocal"]] = {}
    inside: list[Scope] = []

    def owner(self, name: str) -> Scope | None:
        """Return the scope whose `name` is seen by code here, or None."""
        declared = self.declared.get(name)
        here = self.above if declared == "nonlocal" else self
        while here is not None:
            is_seen = here is self or not isinstance(here.node, ast.ClassDef)
            if is_seen and name in here.bindings and (declared != "global" or here.above is None):
                return here
            here = here.above
        return None

    def uses(self, name: str) -> Iterator[ast.Name]:
        """Yield the reads of `name`, as it is here: also in the scopes inside that see the same."""
        owner, waiting = self.owner(name), [self]
        while waiting:
            here = waiting.pop(0)
            waiting = [*here.inside, *waiting]
            if here.owner(name) is owner:
                yield from here.reads.get(name, ())

    @cached_property
    def own(self) -> frozenset[str]:
        """The names that code of the scope binds, also in its comprehensions."""
        return frozenset(self.bindings).union(*(each.own for each in self._comprehensions))

    @cached_property
    def captured(self) -> frozenset[str]:
        """The names that functions and classes inside read from around them."""
        others = [each.free for each in self.inside if not isinstance(each.node, Comprehension)]
        return frozenset[str]().union(*others, *(each.captured for each in self._comprehensions))

    @cached_property
    def free(self) -> frozenset[str]:
        """The names that the scope, or one inside it, reads and does not bind."""
        if isinstance(self.node, ast.ClassDef):
            # Functions in a class do not see the class's names.
            return (self._read - self.own) | self.captured
        return (self._read | self.captured) - self.own

    @property
    def _read(self) -> frozenset[str]:
        return frozenset(self.reads).union(*(each._read for each in self._comprehensions))

    @property
    def _comprehensions(self) -> list[Scope]:
        return [each for each in self.inside if isinstance(each.node, Comprehension)]


def scopes_of(tree: ast.Module) -> tuple[dict[ast.AST, Scope], dict[Placed, Scope]]:
    """Return the scopes of `tree` by their nodes, and the scope in which each name stands."""
    reader = _Reader(tree)
    return reader.scopes, reader.around


def arguments(function: FunctionNode) -> list[ast.arg]:
    """Return the parameters of `function`: first those that can be passed by position, then the others."""
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]


def parts_of(target: ast.expr, value: ast.expr, is_whole: bool = True) -> Iterator[Binding]:
    """Yield the binding of each name, attribute or item in `target` if `value` is assigned to it."""
    if isinstance(target, ast.Tuple | ast.List):
        alike = is_whole and isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
        parts = value.elts if alike and isinstance(value, ast.Tuple | ast.List) else [value] * len(target.elts)
        for each, part in zip(target.elts, parts, strict=True):
            yield from parts_of(each, part, alike)
    elif isinstance(target, ast.Starred):
        yield from parts_of(target.value, value, False)
    else:
        yield Binding(target, value, is_whole)


def bindings_by(node: ast.AST) -> Iterator[Binding]:
    """Yield the bindings that `node` makes by giving a value to names, attributes or items."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for each in targets:
                yield from parts_of(each, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
            yield from parts_of(target, value)
        case (
            ast.AugAssign(target=target, value=value)
            | ast.For(target=target, iter=value)
            | ast.comprehension(target=target, iter=value)
            | ast.withitem(context_expr=value, optional_vars=ast.expr() as target)
        ):
            yield from parts_of(target, value, False)


class _Reader(ast.NodeVisitor):
    def __init__(self, tree: ast.Module) -> None:
        self.scopes: dict[ast.AST, Scope] = {}
        self.around: dict[Placed, Scope] = {}
        self._bindings: dict[Placed, Binding] = {}
        """By name, before it is reached."""
        self._here = self._module = self.scopes[tree] = Scope(tree, None)
        self._visit_all(*tree.body)

    def visit(self, node: ast.AST) -> None:
        self._expect(node)
        super().visit(node)

    def _expect(self, node: ast.AST) -> None:
        self._bindings.update((each.node, each) for each in bindings_by(node))

    def visit_Name(self, node: ast.Name) -> None:
        self.around[node] = self._here
        if isinstance(node.ctx, ast.Load):
            self._here.reads[node.id].append(node)
        else:
            self._bind(node.id, self._bindings.pop(node, Binding(node)))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        here = self._here
        while isinstance(self._here.node, Comprehension) and self._here.above is not None:
            self._here = self._here.above
        self.visit(node.target)
        self._here = here

    def visit_arg(self, node: ast.arg) -> None:
        self.around[node] = self._here
        self._bind(node.arg, Binding(node))

    def visit_FunctionDef(self, node: FunctionDef) -> None:
        self._bind_here(node.name, node, node)
        given = arguments(node)
        outside = (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults)
        self._visit_all(*outside, *(each.annotation for each in given), node.returns)
        self._enter(node, *given, *node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_all(*node.args.defaults, *node.args.kw_defaults)
        self._enter(node, *arguments(node), node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind_here(node.name, node)
        self._visit_all(*node.decorator_list, *node.bases, *node.keywords)
        self._enter(node, *node.body)

    def visit_ListComp(self, node: Comprehension) -> None:
        first, *others = node.generators
        self.visit(first.iter)
        self._expect(first)
        results = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        self._enter(node, first.target, *first.ifs, *others, *results)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp  # noqa: N815

    def visit_alias(self, node: ast.alias) -> None:
        self._bind_here((node.asname or node.name).partition(".")[0], node)

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar | ast.ExceptHandler) -> None:
        if node.name:
            self._bind_here(node.name, node)
        self.generic_visit(node)

    visit_ExceptHandler = visit_MatchStar = visit_MatchAs  # noqa: N815

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self._here.declared.update(dict.fromkeys(node.names, "global" if isinstance(node, ast.Global) else "nonlocal"))

    visit_Nonlocal = visit_Global  # noqa: N815

    def _enter(self, node: ast.AST, *inside: ast.AST) -> None:
        above = self._here
        self._here = self.scopes[node] = Scope(node, above)
        above.inside.append(self._here)
        self._visit_all(*inside)
        self._here = above

    def _visit_all(self, *nodes: ast.AST | None) -> None:
        for each in nodes:
            if each is not None:
                self.visit(each)

    def _bind_here(self, name: str, node: Placed, value: FunctionDef | None = None) -> None:
        self.around[node] = self._here
        self._bind(name, Binding(node, value, value is not None))

    def _bind(self, name: str, binding: Binding) -> None:
        declared = self._here.declared.get(name)
        owner = self._module if declared == "global" else self._here.owner(name) if declared else self._here
        (owner or self._here).bindings[name].append(binding)
