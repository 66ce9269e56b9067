"""Facts about names in user code: bound once, a new object, changed, read, or a clock or random numbers of Python."""

from __future__ import annotations

import ast
import builtins

from explorer.worker.syntax.code_tree import CodeTree, first_name
from explorer.worker.syntax.scopes import Binding, FunctionNode

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


def bound_once(code: CodeTree) -> frozenset[str]:
    """Return the names that the code of a module binds once, so that no function can have seen another value."""
    again = ast.For | ast.While | FunctionNode
    return frozenset(
        name
        for name, found in code.scopes[code.tree].bindings.items()
        if len(found) == 1 and not any(isinstance(each, again) for each in code.around(found[0].node))
    )


def fresh_names(code: CodeTree) -> dict[ast.AST, set[str]]:
    """Return by scope the names that are always a new list, dictionary or set, passed to nothing that may keep it."""
    found = {
        scope: {name for name, bindings in scope.bindings.items() if all(map(_is_new, bindings))}
        for scope in code.scopes.values()
    }
    harmless = {*names_of(code.tree, "jax", "numpy"), *vars(builtins)}
    for node in code.parents:
        for name in _handed_on(node, harmless):
            owner = code.names[name].owner(name.id)
            if owner is not None:
                found[owner].discard(name.id)
    return {scope.node: names for scope, names in found.items()}


def _handed_on(node: ast.AST, harmless: set[str]) -> list[ast.Name]:
    """Return the names whose values `node` passes to code that may keep them; `harmless` functions keep nothing."""
    given: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        given = [node.value]
    elif isinstance(node, ast.Call) and first_name(node.func) not in harmless:
        given = [*node.args, *(each.value for each in node.keywords)]
    return [each for each in given if isinstance(each, ast.Name)]


def _is_new(binding: Binding) -> bool:
    value = binding.value
    made = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _MAKERS
    return binding.is_whole and (made or isinstance(value, _DISPLAYS))


# -- names that are read ----------------------------------------------------------------------


def names_read(tree: ast.Module) -> frozenset[str]:
    """Return the names of variables and attributes that functions read for more than to change their contents."""
    only_changed = _only_changed(tree)
    functions = (each for each in ast.walk(tree) if isinstance(each, FunctionNode))
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
        elif isinstance(node, ast.Attribute) and node.attr in _HOSTS and first_name(node) not in jax:
            return True
    return False
