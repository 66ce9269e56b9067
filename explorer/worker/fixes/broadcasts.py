"""Arrays that are combined value by value and whose shapes do not fit together."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import numpy as np

from explorer.messages import Fix
from explorer.worker.errors.code_tree import fix
from explorer.worker.errors.scene import Scene
from explorer.worker.fixes.shapes import closed, lengths
from explorer.worker.fixes.words import label

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
