"""Arrays that do not fit together, start values of the wrong type, and changes in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import numpy as np

from explorer.messages import Fix
from explorer.worker.errors.code_tree import fix, lengths
from explorer.worker.errors.scene import Scene
from explorer.worker.fixes.choices import OPERATORS
from explorer.worker.fixes.words import label

_AT = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power"}


def transpose(scene: Scene) -> Iterator[Fix]:
    """Yield the fixes that transpose one side of a product, or swap both."""
    for node in scene.code.covering(scene.code.span(scene.node)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            sides: list[ast.expr] = [node.right, node.left]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("dot", "matmul"):
            sides = node.args[1::-1]
        else:
            continue
        for side in sides:
            text = closed(scene, side)
            yield fix(
                scene.code, label("transpose", operand=scene.written(side)), scene.code.replace(side, f"{text}.T")
            )
        if isinstance(node, ast.BinOp):
            new = f"{closed(scene, node.right)} @ {closed(scene, node.left)}"
            yield fix(scene.code, label("swap", new=new), scene.code.replace(node, new))
        return


def reshape_with_rest(scene: Scene) -> Iterator[Fix]:
    """Yield the reshapes in which one length follows from the others."""
    match = scene.search(r"\(size (\d+)\) into shape \(([\d, ]*)\)")
    if match is None:
        return
    size, wanted = int(match[1]), lengths(match[2])
    for call in scene.calls():
        if not ast.unparse(call.func).endswith("reshape"):
            continue
        written = call.args if isinstance(call.func, ast.Attribute) and len(call.args) == len(wanted) else []
        if len(call.args) and isinstance(call.args[-1], ast.Tuple):
            written = call.args[-1].elts
        for place, length in enumerate(written):
            others = 1
            for index, each in enumerate(wanted):
                others *= each if index != place else 1
            if len(written) == len(wanted) and others and size % others == 0:
                made = [*wanted[:place], -1, *wanted[place + 1 :]]
                new = f"({', '.join(map(str, made))}{',' * (len(made) == 1)})"
                yield fix(scene.code, label("reshape", new=new), scene.code.replace(length, "-1"))
        return


def join_otherwise(scene: Scene) -> Iterator[Fix]:
    """Yield the fixes that join along another axis."""
    for call in scene.calls():
        if ast.unparse(call.func).rpartition(".")[2] == "concatenate" and call.args:
            written = next((each.value for each in call.keywords if each.arg == "axis"), None)
            for axis in ("1", "0"):
                edit = scene.code.replace(written, axis) if written else None
                edit = edit or scene.code.insert_after(call.args[-1], f", axis={axis}")
                yield fix(scene.code, label("join_axis", axis=axis), edit)
            return


def last_axis(scene: Scene) -> Iterator[Fix]:
    """Yield the fix for an axis that there is not: the last one in its place."""
    match = scene.search(r"axis (-?\d+) is out of bounds")
    for call in scene.calls():
        written = [*call.args, *(each.value for each in call.keywords if each.arg == "axis")]
        for axis in written:
            if match is not None and isinstance(axis, ast.Constant) and axis.value == int(match[1]):
                yield fix(scene.code, label("last_axis"), scene.code.replace(axis, "-1"))


def initial_value(scene: Scene) -> Iterator[Fix]:
    """Yield the fix that starts a loop with a value of the type that its body returns."""
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


def scalar_loss(scene: Scene) -> Iterator[Fix]:
    """Yield the fix that sums what grad differentiates."""
    for call in scene.calls():
        inner = call.func
        if not isinstance(inner, ast.Call) or not inner.args:
            continue
        if ast.unparse(inner.func).rpartition(".")[2] in ("grad", "value_and_grad"):
            new = f"lambda *args: {closed(scene, inner.args[0])}(*args).sum()"
            yield fix(scene.code, label("scalar_loss"), scene.code.replace(inner.args[0], new))


def float_argument(scene: Scene) -> Iterator[Fix]:
    """Yield the fix that writes a whole number as a float."""
    for call in scene.calls():
        for argument in call.args:
            value = argument.value if isinstance(argument, ast.Constant) else None
            if isinstance(value, int):
                new = repr(float(value))
                yield fix(scene.code, label("float", new=new), scene.code.replace(argument, new))


def changed_copy(scene: Scene) -> Iterator[Fix]:
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


def closed(scene: Scene, node: ast.expr) -> str:
    """Return the text of `node`, in brackets where something that is written behind it would not be of all of it."""
    plain = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return scene.written(node) if plain else f"({scene.written(node)})"


_SHAPES = r"shapes(?: for broadcasting)?[:=] ?\[?(?P<shapes>\([\d, ]*\)(?:, \([\d, ]*\))+)"


def fit_operand(scene: Scene) -> Iterator[Fix]:
    """Yield the fixes that turn one operand so that it fits the others: an axis of length 1 at its end, or transposed.

    An operand of the lowest rank gets the axis; operands of one rank are transposed, or paired each with each.
    """
    match = scene.search(_SHAPES)
    operands = _operands(scene.node)
    shapes = [tuple(lengths(each)) for each in match["shapes"].strip("()").split("), (")] if match else []
    if len(shapes) != len(operands):
        return
    lowest = min(map(len, shapes))
    alike = all(len(shape) == lowest for shape in shapes)
    for place, (operand, shape) in enumerate(zip(operands, shapes, strict=True)):
        others = [*shapes[:place], *shapes[place + 1 :]]
        text = closed(scene, operand)
        if alike and lowest > 1 and _fit([*others, shape[::-1]]):
            yield fix(
                scene.code, label("transpose", operand=scene.written(operand)), scene.code.replace(operand, f"{text}.T")
            )
        elif len(shape) == lowest and lowest and _fit([*others, (*shape, 1)]):
            new = f"{text}[:, None]" if lowest == 1 else f"{text}[..., None]"
            yield fix(
                scene.code,
                label("new_axis", operand=scene.written(operand), new=new),
                scene.code.replace(operand, new),
            )


def _operands(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    return node.args if isinstance(node, ast.Call) else []


def _fit(shapes: Sequence[tuple[int, ...]]) -> bool:
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True
