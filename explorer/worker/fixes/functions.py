"""The functions of a program: what a name or call refers to, references, `inputs`; edits that add an argument."""

from __future__ import annotations

import ast

from explorer.messages import Edit
from explorer.worker.syntax.code_tree import CodeTree, last_name
from explorer.worker.syntax.scopes import FunctionNode, Placed

WRAPPERS = (
    "jit",
    "grad",
    "value_and_grad",
    "checkpoint",
    "remat",
    "filter_jit",
    "filter_grad",
    "filter_value_and_grad",
)
"""Names of functions that take a function and return one with the same arguments."""


def parameters(function: FunctionNode) -> list[ast.arg]:
    """Return the parameters of `function` that can be passed by position."""
    return [*function.args.posonlyargs, *function.args.args]


def function_of(code: CodeTree, node: ast.AST) -> FunctionNode | None:
    """Return the function that the expression `node` refers to, through names and wrappers; None if it is unknown."""
    for _ in range(8):
        if isinstance(node, FunctionNode):
            return node
        if isinstance(node, ast.Call) and last_name(node.func) in WRAPPERS and node.args:
            node = node.args[0]
        elif isinstance(node, ast.Name):
            found = value_of(code, node)
            if found is None:
                return None
            node = found
        else:
            return None
    return None


def value_of(code: CodeTree, name: ast.Name) -> ast.AST | None:
    """Return the function or expression that `name` is bound to, or None.

    Of several values, the last one above the name counts.
    """
    scope = code.names[name].owner(name.id)
    values = [each.value for each in scope.bindings[name.id] if each.is_whole] if scope is not None else []
    # In ``f = jit(f)`` the inner f is the earlier value.
    found = [each for each in values if isinstance(each, FunctionNode) or (each and name not in ast.walk(each))]
    before = [each for each in found if each.lineno <= name.lineno]
    return next(reversed(before or found), None)


# -- parameters and calls --------------------------------------------------------------------------------------------


def with_parameter(code: CodeTree, function: FunctionNode, name: str) -> tuple[Edit, int]:
    """Return the edit that adds a parameter to `function`, and its position: after those without a default.

    Raises ValueError if it has none.
    """
    arguments = parameters(function)
    place = len(arguments) - len(function.args.defaults)
    if not arguments:
        raise ValueError
    if place < len(arguments):
        return code.insert_ahead(arguments[place], f"{name}, "), place
    return code.insert_after(arguments[-1], f", {name}"), place


def with_argument(code: CodeTree, call: ast.Call, place: int, name: str, value: str) -> Edit:
    """Return the edit that passes `value` in `call`, as argument number `place` with the name `name`.

    Raises ValueError if unpacked arguments precede it, or none.
    """
    given: list[Placed] = [*call.args, *call.keywords]
    if any(isinstance(each, ast.Starred) for each in call.args[:place]) or not given:
        raise ValueError
    if len(call.args) > place:
        return code.insert_ahead(call.args[place], f"{value}, ")
    if len(call.args) == place > 0:
        return code.insert_after(call.args[-1], f", {value}")
    return code.insert_after(given[-1], f", {name}={value}")


# -- references -------------------------------------------------------------------------------------------------------


def references(code: CodeTree, function: FunctionNode) -> list[ast.AST]:
    """Return the references to `function` by its name."""
    if isinstance(function, ast.Lambda):
        return [function]
    found = reads(code, function.name)
    return [each for each in found if isinstance(each, ast.Name) and function_of(code, each) is function]


def reads(code: CodeTree, name: str) -> list[ast.AST]:
    """Return the reads of `name`, also as an attribute of any object."""
    names = (each for each in code.parents if isinstance(each, ast.Name | ast.Attribute))
    return [each for each in names if last_name(each) == name and isinstance(each.ctx, ast.Load)]


def inputs_of(code: CodeTree) -> list[dict[str, ast.expr]]:
    """Return the entries of the dict at each return of ``inputs``; {} for a value that is not a dict."""
    made = (each for each in code.tree.body if isinstance(each, ast.FunctionDef) and each.name == "inputs")
    return [entries(each.value) for one in made for each in ast.walk(one) if isinstance(each, ast.Return)]


def entries(value: ast.AST | None) -> dict[str, ast.expr]:
    """Return the values of a dict literal or a call of ``dict`` by their names; {} for something else."""
    if isinstance(value, ast.Dict):
        pairs = zip(value.keys, value.values, strict=True)
        return {str(key.value): each for key, each in pairs if isinstance(key, ast.Constant)}
    if isinstance(value, ast.Call) and last_name(value.func) == "dict":
        return {each.arg: each.value for each in value.keywords if each.arg}
    return {}
