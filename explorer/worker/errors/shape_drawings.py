"""Drawings of shapes that do not fit, in a fixed-pitch font: aligned, with clashing lengths in brackets."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import NamedTuple

from explorer.worker.errors.scene import ErrorScene
from explorer.worker.syntax.code_tree import lengths

LONGEST_NAME = 18
LONGEST_PATH = 24
"""Largest length of a pytree path, such as ``params['head']['bias']``."""
MOST_ROWS = 8


class ShapeRow(NamedTuple):
    """One shape of a drawing."""

    name: str
    shape: list[int]
    clashing: frozenset[int] = frozenset()
    """The axes that do not fit."""


def drawing(scene: ErrorScene) -> str:
    """Return the drawing of the shapes in the error, or an empty text."""
    for pattern, draw in _DRAWINGS:
        match = scene.search(pattern)
        if match:
            return draw(scene, match)
    return ""


def drawn(rows: list[ShapeRow], *, from_right: bool = False) -> str:
    """Return `rows` below each other, axis below axis, aligned to the right for broadcasting."""
    rows = rows[:MOST_ROWS]
    names = [_shortened(row.name) for row in rows]
    most = max(len(row.shape) for row in rows)
    cells = []
    for row in rows:
        texts = [f"[{length}]" if axis in row.clashing else f" {length} " for axis, length in enumerate(row.shape)]
        empty = [""] * (most - len(texts))
        cells.append([*empty, *texts] if from_right else [*(texts or ["one value"]), *empty])
    widths = [max(len(row[column]) for row in cells if column < len(row)) for column in range(max(map(len, cells)))]
    wide = max(map(len, names))
    return "\n".join(
        f"{name:<{wide}}  " + " ".join(text.rjust(width) for text, width in zip(row, widths, strict=False)).rstrip()
        for name, row in zip(names, cells, strict=True)
    )


def _shortened(name: str) -> str:
    """Return `name`, shortened: the start of an expression, or the end of a pytree path, which is distinctive."""
    if name.endswith("]") and len(name) > LONGEST_PATH:
        end = name[1 - LONGEST_PATH :]
        return f"…{end[max(0, end.find('[')) :]}"
    if name.endswith("]") or len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME - 1]}…"


def _broadcast(scene: ErrorScene, match: re.Match[str]) -> str:
    shapes = [lengths(each) for each in re.findall(r"\(([\d, ]*)\)", match[1])]
    most = max(map(len, shapes), default=0)
    clashing = set()
    for back in range(1, most + 1):
        there = {shape[-back] for shape in shapes if len(shape) >= back}
        if len(there - {1}) > 1:
            clashing.add(back)
    names = _operands(scene, len(shapes))
    rows = [
        ShapeRow(name, shape, frozenset(len(shape) - back for back in clashing if back <= len(shape)))
        for name, shape in zip(names, shapes, strict=True)
    ]
    return drawn(rows, from_right=True) if rows else ""


def _product(scene: ErrorScene, match: re.Match[str]) -> str:
    left, right = _operands(scene, 2)
    shapes = [getattr(scene.value(node), "shape", None) for node in _sides(scene)]
    if len(shapes) != 2 or not all(shapes):
        return drawn(
            [ShapeRow(left, lengths(match[1]), frozenset({0})), ShapeRow(right, lengths(match[2]), frozenset({0}))]
        )
    one, other = [list(shape) for shape in shapes if shape]
    return drawn(
        [ShapeRow(left, one, frozenset({len(one) - 1})), ShapeRow(right, other, frozenset({max(0, len(other) - 2)}))]
    )


def _reshape(_scene: ErrorScene, match: re.Match[str]) -> str:
    return f"from  ({match[1]})  {match[2]} values\nto    ({match[3]})  {match[4]} values"


def _joined(_scene: ErrorScene, match: re.Match[str]) -> str:
    shapes = [lengths(each) for each in re.findall(r"\(([\d, ]*)\)", match["shapes"])]
    along = int(match["axis"]) if match.groupdict().get("axis") else -1
    first = shapes[0]
    clashing = {
        axis
        for axis in range(len(first))
        if axis != along and len({each[axis] for each in shapes if axis < len(each)}) > 1
    }
    return drawn([ShapeRow(f"array {number}", shape, frozenset(clashing)) for number, shape in enumerate(shapes, 1)])


def _mapped(scene: ErrorScene, _match: re.Match[str]) -> str:
    found = re.findall(r"axis (\d+) of argument (\S+) of type (\w+(?:<\w+>)?)\[([\d,]*)\]", scene.message)
    return (
        drawn([ShapeRow(name, lengths(shape), frozenset({int(axis)})) for axis, name, _, shape in found])
        if found
        else ""
    )


def _types(_scene: ErrorScene, match: re.Match[str]) -> str:
    return f"before  {match[1]}\nafter   {match[2]}"


_DRAWINGS: tuple[tuple[str, Callable[[ErrorScene, re.Match[str]], str]], ...] = (
    (r"[Ii]ncompatible shapes for broadcasting: (?:shapes=)?(.*)", _broadcast),
    (r"dot_general requires contracting dimensions .*? got \(([\d, ]*)\) and \(([\d, ]*)\)", _product),
    (r"cannot reshape array of shape \((.*?)\) \(size (\d+)\) into shape \((.*?)\) \(size (\d+)\)", _reshape),
    (r"concatenating along dimension (?P<axis>\d+) for shapes (?P<shapes>[\d, ()]*)", _joined),
    (r"All input arrays must have the same shape. Got (?P<shapes>[\d, ()]*)", _joined),
    (r"vmap got inconsistent sizes", _mapped),
    (r"has type (\S+) but the corresponding output carry component has type (\S+),", _types),
)  # fmt: skip


def _sides(scene: ErrorScene) -> list[ast.expr]:
    for node in (scene.node, *scene.code.around(scene.node)):
        if isinstance(node, ast.BinOp):
            return [node.left, node.right]
        if isinstance(node, ast.Call):
            return node.args
    return []


def _operands(scene: ErrorScene, count: int) -> list[str]:
    sides = _sides(scene)
    if len(sides) >= count:
        written = [scene.written(each) for each in sides]
        return [" ".join(each.split()) for each in written[len(written) - count :]]
    return [f"array {number}" for number in range(1, count + 1)]
