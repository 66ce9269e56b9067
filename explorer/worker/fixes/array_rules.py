"""Fixes for JAX's rules on arrays: constant loop carry types, scalar losses, and no changes in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Fix
from explorer.worker.errors.scene import ErrorScene
from explorer.worker.fixes.control_flow import OPERATORS
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.spelling import in_brackets
from explorer.worker.syntax.code_tree import fix

_AT = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power"}


def initial_value(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that starts a loop with a value of the type returned by its body."""
    match = scene.search(
        r"has type (\w+)\[([\d,]*)\] but the corresponding output carry component has type (\w+)\[([\d,]*)\]"
    )
    if match is None:
        return
    for call in scene.calls():
        name = ast.unparse(call.func).rpartition(".")[2]
        place = {"scan": 1, "while_loop": 2, "fori_loop": 3}.get(name)
        if place is None:
            continue
        keyword = next((each.value for each in call.keywords if each.arg in ("init", "init_val")), None)
        start = keyword or (call.args[place] if len(call.args) > place else None)
        value = scene.value(start) if start is not None else None
        if start is None or not isinstance(start, ast.Constant) or not isinstance(value, int | float):
            continue
        shape = tuple(int(each) for each in match[4].split(",") if each)
        if shape:
            new = f"jnp.full({shape}, {value!r}, jnp.{match[3]})"
        else:
            new = repr(float(value)) if match[3].startswith("float") else f"jnp.{match[3]}({value!r})"
        yield fix(scene.code, label("initial", new=new), scene.code.replace(start, new))


def scalar_loss(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that sums the function under grad."""
    for call in scene.calls():
        inner = call.func
        if not isinstance(inner, ast.Call) or not inner.args:
            continue
        if ast.unparse(inner.func).rpartition(".")[2] in ("grad", "value_and_grad"):
            new = f"lambda *args: {in_brackets(scene.code, inner.args[0])}(*args).sum()"
            yield fix(scene.code, label("scalar_loss"), scene.code.replace(inner.args[0], new))


def changed_copy(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix for ``x[i] = value``."""
    code = scene.code
    statement = code.statement_around(scene.node)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, method = statement.targets[0], "set"
    elif isinstance(statement, ast.AugAssign) and OPERATORS.get(type(statement.op), "") in _AT:
        target, method = statement.target, _AT[OPERATORS[type(statement.op)]]
    else:
        return
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        name, index = target.value.id, code.written(target.slice)
        new = f"{name} = {name}.at[{index}].{method}({code.written(statement.value)})"
        yield fix(code, label("at_set"), code.replace(statement, new))
