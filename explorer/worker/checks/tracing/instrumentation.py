"""User code compiled with calls that report each change of outside state and each host call, and their records."""

from __future__ import annotations

import ast
import builtins
import functools
import re
from collections.abc import Iterable
from types import CodeType
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from explorer.messages import Span
from explorer.worker.checks.tracing import user_names
from explorer.worker.checks.tracing.host_values import HostKind
from explorer.worker.internals.traces import UnderWay
from explorer.worker.syntax.code_tree import CodeTree, last_name
from explorer.worker.syntax.scopes import FunctionNode, bindings_by

WROTE, CALLED = "__jax_explorer_wrote__", "__jax_explorer_called__"
"""Names of the reporting functions in the user's module. Names with this ending are not mangled in classes."""
_CONSTRUCTORS = {"__init__", "__post_init__", "__new__", "setup", "__setattr__", "__set_name__", "__setstate__"}

_CALLING = ("map", "tree_map", "iter", "vectorize")
"""Functions of Python and JAX that call their first argument."""

PlaceKind = Literal["bound", "rebound", "part", "method", "call"]


class ReportingPlace(msgspec.Struct, frozen=True):
    """One place in the code that reports."""

    kind: PlaceKind
    """What happens there.

    - bound: a name that other functions read is set
    - rebound: an outside name is set
    - part: an attribute or item is set
    - method: a mutating method is called
    - call: anything is called
    """
    span: Span
    text: str
    """Source text of the changed or called object."""
    base: str = ""
    """The last name of the changed object."""
    steps: tuple[str, ...] = ()
    """Path from the value of the first name to the holder: attribute names, and items as ``['w']``."""
    is_global: bool = False
    """Whether the first name is global."""
    is_argument: bool = False
    """Whether the first name is an argument of the function, and may be an alias of anything."""
    leaf: str = ""
    """The last step, to the part that is set; empty if unknown."""
    owner: tuple[str, int] = ("", 0)
    """Name and first line of the enclosing function that owns the first name; an empty name for the innermost one."""


class InstrumentedProgram(msgspec.Struct, frozen=True):
    """A compiled program that reports its changes and calls."""

    code: CodeType
    places: tuple[ReportingPlace, ...]
    read: frozenset[str]
    """Names of variables and attributes that functions read for more than to change their contents."""


@functools.lru_cache(maxsize=8)
def instrumented(source: str, filename: str) -> InstrumentedProgram:
    """Return `source`, compiled, with a call of `WROTE` after each change; lines and columns stay the same.

    `CALLED` reports calls where the code names clocks or Python's random numbers. Code that is too large reports
    nothing. Raises SyntaxError or ValueError for invalid code.
    """
    try:
        code = CodeTree.of(source)
        writer = _Writer(code)
        tree = ast.fix_missing_locations(writer.visit(code.tree))
        return InstrumentedProgram(
            compile(tree, filename, "exec", dont_inherit=True), tuple(writer.places), writer.read
        )
    except (IndexError, RecursionError):
        return InstrumentedProgram(compile(source, filename, "exec", dont_inherit=True), (), frozenset())


def place_that_sets(name: str, places: Iterable[ReportingPlace]) -> ReportingPlace | None:
    """Return the first of `places` that sets `name`, such as ``self.cache['x'][0]``, or a part of it; else None."""
    by_base = {place.base: place for place in reversed([*places]) if place.kind in ("part", "method", "rebound")}
    words = re.findall(r"(?<![\w'\"])[A-Za-z_]\w*", name)
    return next((by_base[word] for word in reversed(words) if word in by_base), None)


class _Writer(ast.NodeTransformer):
    """Adds the reporting calls."""

    def __init__(self, code: CodeTree) -> None:
        self.places: list[ReportingPlace] = []
        self.read = user_names.names_read(code.tree)
        self._code = code
        self._tells_calls = user_names.may_read_host(code.tree)
        self._jax = user_names.names_of(code.tree, "jax")
        """Names of JAX modules: their calls read nothing from Python."""
        self._once = user_names.bound_once(code)
        self._fresh = user_names.fresh_names(code)
        self._scopes = [code.scopes[code.tree]]

    def _visit_scope(self, node: ast.AST) -> ast.AST:
        self._scopes.append(self._code.scopes[node])
        self.generic_visit(node)
        self._scopes.pop()
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _visit_scope  # noqa: N815

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        # Before Python 3.12, nodes in an f-string have no position; their result is a text.
        return node

    # -- statements that change something -----------------------------------------------------

    def _visit_change(self, node: ast.stmt) -> list[ast.stmt]:
        set_here = [each.node for each in bindings_by(node)]
        if isinstance(node, ast.Delete):
            set_here = [each for each in node.targets if not isinstance(each, ast.Name)]
        changes = [self._change(each, self._code.span(node)) for each in set_here]
        self.generic_visit(node)
        return [node, *(_statement(each, node) for each in changes if each is not None)]

    visit_Assign = visit_AugAssign = visit_AnnAssign = visit_Delete = _visit_change  # noqa: N815

    def visit_For(self, node: ast.For) -> ast.AST:
        changes = [self._change(each.node, self._code.span(node.target)) for each in bindings_by(node)]
        self.generic_visit(node)
        node.body = [*(_statement(each, node.target) for each in changes if each is not None), *node.body]
        return node

    def _change(self, target: ast.AST, span: Span) -> ast.Call | None:
        """Return the call that reports a change of `target`, or None if the change is invisible outside."""
        if isinstance(target, ast.Name):
            return self._change_of_name(target.id, span)
        if isinstance(target, ast.Attribute | ast.Subscript):
            place = ReportingPlace("part", span, self._code.written(target), last_name(target), leaf=_step(target))
            return self._change_of_part(target.value, place)
        return None

    def _change_of_name(self, name: str, span: Span) -> ast.Call | None:
        scope = self._scopes[-1]
        if name in scope.declared:
            is_global = scope.declared[name] == "global"
            owner = ("", 0) if is_global else self._owner(name)
            place = ReportingPlace("rebound", span, name, name, is_global=is_global, owner=owner)
            return self._report_call(WROTE, place, ast.parse(f"lambda: {name}", mode="eval").body)
        if (
            name not in scope.captured
            or isinstance(scope.node, ast.ClassDef)
            or (self._is_at_top and name in self._once)
        ):
            return None
        return self._report_call(
            WROTE, ReportingPlace("bound", span, name, name, is_global=isinstance(scope.node, ast.Module))
        )

    def _change_of_part(self, holder: ast.expr, place: ReportingPlace, *result: ast.expr) -> ast.Call | None:
        root, steps = _way(holder)
        if not root or self._is_local(root, steps) or (self._is_at_top and place.base not in self.read):
            return None
        is_global = self._is_global(root)
        owner = ("", 0) if is_global or root in self._scopes[-1].own else self._owner(root)
        # After a step that is not known, the last name no longer says which part is set.
        leaf = place.leaf if _is_known(holder) else ""
        is_argument = root in self._arguments
        place = replace(place, steps=steps, is_global=is_global, is_argument=is_argument, leaf=leaf, owner=owner)
        return self._report_call(WROTE, place, ast.Name(root, ast.Load()), *result)

    @property
    def _is_at_top(self) -> bool:
        """Whether the code is that of the module, which nothing traces."""
        return isinstance(self._scopes[-1].node, ast.Module)

    def _is_local(self, root: str, steps: tuple[str, ...]) -> bool:
        """Return whether the value of `root` is local to the innermost function, which has just made it."""
        scope = self._scopes[-1]
        if not isinstance(scope.node, FunctionNode):
            return not isinstance(scope.node, ast.Module)
        if root in self._fresh[scope.node] and root not in scope.captured and not steps:
            return True
        return getattr(scope.node, "name", "") in _CONSTRUCTORS and [root] == self._arguments[:1]

    @property
    def _arguments(self) -> list[str]:
        """The names of the arguments of the innermost function that may be positional."""
        given = getattr(self._scopes[-1].node, "args", None)
        return [each.arg for each in (*given.posonlyargs, *given.args)] if given is not None else []

    def _is_global(self, root: str) -> bool:
        for scope in reversed(self._scopes):
            if scope.declared.get(root) == "global":
                return True
            if isinstance(scope.node, FunctionNode) and root in scope.own:
                return False
        return True

    def _owner(self, name: str) -> tuple[str, int]:
        for scope in reversed(self._scopes[:-1]):
            node = scope.node
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and name in scope.own:
                return node.name, min(each.lineno for each in (node, *node.decorator_list))
        return "", 0

    # -- calls --------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        text, span = self._code.written(node.func), self._code.span(node)
        function, holder = node.func, user_names.changed_by(node)
        kind: PlaceKind = "method" if isinstance(function, ast.Attribute) or text == "next" else "part"
        place = (
            ReportingPlace(kind, span, self._code.written(holder), last_name(holder)) if holder is not None else None
        )
        self.generic_visit(node)
        if place is not None and holder is not None:
            return self._change_of_part(holder, place, node) or node
        if not self._is_at_top and (text == "print" or (self._tells_calls and self._may_be_hosts(function))):
            node.func = self._report_call(CALLED, ReportingPlace("call", span, text), node.func)
        elif self._tells_calls and text.rpartition(".")[2] in _CALLING and node.args:
            called = node.args[0]
            if isinstance(called, ast.Name | ast.Attribute):
                place = ReportingPlace("call", self._code.span(called), self._code.written(called))
                node.args[0] = self._report_call(CALLED, place, called)
        return node

    def _may_be_hosts(self, function: ast.expr) -> bool:
        root, _ = _way(function)
        return root not in self._jax and not (isinstance(function, ast.Name) and hasattr(builtins, function.id))

    def _report_call(self, name: str, place: ReportingPlace, *values: ast.expr) -> ast.Call:
        self.places.append(place)
        like = values[-1] if place.kind in ("method", "call") else None
        call = ast.Call(ast.Name(name, ast.Load()), [ast.Constant(len(self.places) - 1), *values], [])
        return ast.copy_location(call, like) if like is not None else call


def _way(node: ast.expr) -> tuple[str, tuple[str, ...]]:
    """Return the first name of `node`, or an empty string, and the known steps from its value."""
    steps: list[str] = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        step = _step(node)
        # The path ends at the holder of an item that is not known.
        steps = [*steps, step] if step else []
        node = node.value
    return (node.id, tuple(reversed(steps))) if isinstance(node, ast.Name) else ("", ())


def _step(node: ast.Attribute | ast.Subscript) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    index = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return f"[{index!r}]" if isinstance(index, str | int) else ""


def _is_known(node: ast.expr) -> bool:
    """Return whether every step to `node` can be repeated."""
    while isinstance(node, ast.Attribute | ast.Subscript) and _step(node):
        node = node.value
    return isinstance(node, ast.Name)


def _statement(call: ast.Call, like: ast.AST) -> ast.stmt:
    for node in ast.walk(call):
        ast.copy_location(node, like)
    return ast.copy_location(ast.Expr(call), like)


class TraceEvents(msgspec.Struct):
    """Events at one place during traces."""

    place: ReportingPlace
    kind: HostKind | None
    """The kind of value that was read; None for a change."""
    function: str
    """Name of the traced function."""
    way: UnderWay
    count: int = 1
    reaches: bool | None = None
    """Whether the program depends on it; None if unknown."""
    holder: Any = None
    """The changed object."""
    is_lost: bool = False
    """Whether the object is JAX's copy of an argument, and no output depends on the change."""


class StaleState(msgspec.Struct, frozen=True):
    """Changes that a function traced earlier does not see."""

    places: tuple[ReportingPlace, ...]
    function: str
    filename: str
    """The file that defines it; empty if unknown."""
    line: int


class LeakedTracer(msgspec.Struct, frozen=True):
    """A tracer that is still reachable after its trace."""

    place: ReportingPlace | None
    """The place that stored it; None if unknown."""
    name: str
    tracer: Any
    holder: Any = None
    """The object that `place` changed."""
