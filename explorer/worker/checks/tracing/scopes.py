"""Scope analysis of user code: names of the module, of a function, and of its enclosing functions."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
CHANGING = {"append", "appendleft", "extend", "extendleft", "insert", "add", "update", "pop", "popleft", "popitem"}
CHANGING |= {"remove", "discard", "clear", "setdefault", "sort", "reverse", "rotate", "subtract", "fill", "put"}
CHANGING |= {"resize", "partition", "symmetric_difference_update", "intersection_update", "difference_update"}
"""Mutating methods of lists, dictionaries, sets, deques and NumPy arrays."""
CHANGING_FUNCTIONS = ("next", "setattr", "delattr")
"""Functions that mutate their first argument."""
_MAKERS = {"list", "dict", "set", "deque", "defaultdict", "OrderedDict", "Counter"}
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_HOSTS = {"random", "time", "datetime", "uuid", "secrets", "urandom"}
"""Modules, and a function, with results that differ at each call."""


@dataclass
class NameScope:
    """The names of a function, a class or the module."""

    node: ast.AST
    declared_global: set[str] = field(default_factory=set)
    declared_nonlocal: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    """Its arguments and the names it binds."""
    fresh: set[str] = field(default_factory=set)
    """Of these, names always bound to a new list, dictionary or set that is passed to nothing that may keep it."""
    loaded: set[str] = field(default_factory=set)
    """Names read by its own statements."""
    captured: set[str] = field(default_factory=set)
    """Free names of the functions inside it."""

    @property
    def is_function(self) -> bool:
        return isinstance(self.node, FUNCTIONS)

    @property
    def arguments(self) -> list[str]:
        """Names of the arguments that may be positional."""
        arguments = getattr(self.node, "args", None)
        return [each.arg for each in (*arguments.posonlyargs, *arguments.args)] if arguments is not None else []

    @property
    def free(self) -> set[str]:
        """Return the names that the function, or one inside it, reads and does not bind."""
        if isinstance(self.node, ast.ClassDef):
            # Functions in a class do not see the class's names.
            return (self.loaded - self.own) | self.captured
        return (self.loaded | self.captured) - self.own


def scopes_of(tree: ast.Module) -> dict[ast.AST, NameScope]:
    """Return the scopes of the module `tree`, its functions and its classes, by node."""
    found: dict[ast.AST, NameScope] = {}
    _add(tree, found, {*names_of(tree, "jax", "numpy"), *vars(builtins)})
    return found


def bound_once(tree: ast.Module) -> frozenset[str]:
    """Return the names that the code of a module binds once, so that no function can have seen another value."""
    in_loops = {each for loop in _inside(tree) if isinstance(loop, ast.For | ast.While) for each in ast.walk(loop)}
    times: Counter[str] = Counter()
    for each in _inside(tree):
        if isinstance(each, ast.Name) and not _is_read(each):
            times[each.id] += 1 + (each in in_loops)
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            times[each.name] += 1
        elif isinstance(each, ast.alias):
            times[(each.asname or each.name).partition(".")[0]] += 1
    elsewhere = {name for each in ast.walk(tree) if isinstance(each, ast.Global) for name in each.names}
    return frozenset(name for name, count in times.items() if count == 1 and name not in elsewhere)


def _add(node: ast.AST, found: dict[ast.AST, NameScope], harmless: set[str]) -> NameScope:
    scope = found[node] = NameScope(node)
    arguments = getattr(node, "args", None)
    if arguments is not None:
        scope.own |= {each.arg for each in ast.walk(arguments) if isinstance(each, ast.arg)}
    rebound = set(scope.own)
    for each in _inside(node):
        rebound |= _handed_on(each, harmless)
        if isinstance(each, (*FUNCTIONS, ast.ClassDef)):
            scope.captured |= _add(each, found, harmless).free
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            scope.own.add(each.name)
        elif isinstance(each, ast.Global):
            scope.declared_global |= set(each.names)
        elif isinstance(each, ast.Nonlocal):
            scope.declared_nonlocal |= set(each.names)
        elif isinstance(each, ast.Import | ast.ImportFrom):
            scope.own |= {alias.asname or alias.name.partition(".")[0] for alias in each.names}
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            scope.loaded.add(each.id)
        elif isinstance(each, ast.Name):
            scope.own.add(each.id)
        elif isinstance(each, ast.Assign) and _is_new(each.value):
            scope.fresh |= {target.id for target in each.targets if isinstance(target, ast.Name)}
        elif isinstance(each, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.For | ast.NamedExpr):
            rebound |= {part.id for part in ast.walk(each) if isinstance(part, ast.Name) and not _is_read(part)}
    scope.fresh -= rebound
    scope.own -= scope.declared_global | scope.declared_nonlocal
    return scope


def _handed_on(node: ast.AST, harmless: set[str]) -> set[str]:
    """Return the names whose values `node` passes to code that may keep them; `harmless` functions keep nothing."""
    given: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        given = [node.value]
    elif isinstance(node, ast.Call):
        root: ast.expr = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if not (isinstance(root, ast.Name) and root.id in harmless):
            given = [*node.args, *(each.value for each in node.keywords)]
    return {each.id for each in given if isinstance(each, ast.Name)}


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes in the body of `node`, without the bodies of nested functions and classes."""
    body = getattr(node, "body", [])
    waiting = list(body) if isinstance(body, list) else [body]
    while waiting:
        each = waiting.pop()
        yield each
        if not isinstance(each, (*FUNCTIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(each)


def _is_new(value: ast.expr) -> bool:
    made = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _MAKERS
    return made or isinstance(value, _DISPLAYS)


# -- names that are read ----------------------------------------------------------------------


def names_read(tree: ast.Module) -> frozenset[str]:
    """Return the names of variables and attributes that functions read for more than to change their contents."""
    only_changed = _only_changed(tree)
    functions = (each for each in ast.walk(tree) if isinstance(each, FUNCTIONS))
    nodes = {node for function in functions for node in ast.walk(function)} - only_changed
    names = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    return frozenset(names | {each.attr for each in nodes if isinstance(each, ast.Attribute)})


def _only_changed(tree: ast.Module) -> set[ast.AST]:
    """Return the expressions whose values are changed but not read."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            found |= {node, node.value}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            holder = changed_by(node.value)
            if holder is not None:
                found.add(holder)
    return found


def changed_by(node: ast.Call) -> ast.expr | None:
    """Return the expression that the call mutates, judged by the function's name, or None."""
    function = node.func
    if isinstance(function, ast.Attribute):
        if function.attr == "__setattr__" and node.args:
            return node.args[0]
        return function.value if function.attr in CHANGING else None
    if isinstance(function, ast.Name) and function.id in CHANGING_FUNCTIONS and node.args:
        return node.args[0]
    return None


# -- modules ----------------------------------------------------------------------------------


def names_of(tree: ast.Module, *packages: str) -> set[str]:
    """Return the local names of `packages` and their parts."""
    return {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if (getattr(node, "module", None) or alias.name).partition(".")[0] in packages
    }


def may_read_host(tree: ast.Module) -> bool:
    """Return whether the code names Python's random numbers or clocks."""
    jax = names_of(tree, "jax")
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None)
            names = {alias.name.rpartition(".")[2] for alias in node.names}
            if (module or "").partition(".")[0] != "jax" and ({*names, (module or "").rpartition(".")[2]} & _HOSTS):
                return True
        elif isinstance(node, ast.Attribute) and node.attr in _HOSTS:
            root: ast.expr = node
            while isinstance(root, ast.Attribute):
                root = root.value
            if not (isinstance(root, ast.Name) and root.id in jax):
                return True
    return False
