"""Expressions for the number of examples in an argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.worker.errors.code_tree import CodeTree
from explorer.worker.fixes.functions import value_of
from explorer.worker.fixes.spelling import last_name

_SHAPED = ("zeros", "ones", "empty", "full", "normal", "uniform")


def counts(code: CodeTree, node: ast.expr, axis: int = 0) -> Iterator[str]:
    """Yield expressions for the number of examples along `axis` of `node`, the plainest first; some may be wrong."""
    made = value_of(code, node) if isinstance(node, ast.Name) else node
    if isinstance(made, ast.Tuple | ast.List) and made.elts and axis == 0:
        # vmap maps each element of the tuple.
        yield from counts(code, made.elts[0])
    if isinstance(node, ast.Tuple):
        return
    if isinstance(node, ast.Call):
        yield from _written_count(code, node, axis)
    text = code.written(node)
    if axis == 0:
        yield f"len({text})"
    else:
        yield f"{text}.shape[{axis}]"
    yield f"jax.tree.leaves({text})[0].shape[{axis}]"
    if isinstance(made, ast.Call) and made is not node:
        # The array may not be defined yet at that point.
        yield from _written_count(code, made, axis)


def _written_count(code: CodeTree, call: ast.Call, axis: int) -> Iterator[str]:
    """Yield the length written in `call`, if `call` makes an array from a length or a shape."""
    name, first = last_name(call.func), call.args[0] if call.args else None
    if first is None:
        return
    if name in ("arange", "range") and len(call.args) == 1:
        yield code.written(first)
    if name == "split" and len(call.args) == 2:
        first, name = call.args[1], "zeros"
    if name in _SHAPED:
        shape = next((each for each in call.args if isinstance(each, ast.Tuple)), None)
        if shape is not None and axis < len(shape.elts):
            yield code.written(shape.elts[axis])
        elif axis == 0 and name in ("zeros", "ones", "empty"):
            yield code.written(first)
