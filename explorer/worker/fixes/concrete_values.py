"""Fixes for tracers in places that need a plain Python or NumPy value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import jax.numpy
import numpy

from explorer.messages import Edit, Fix, Span
from explorer.worker.errors.scene import ErrorScene, is_traced, names_behind
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.static_arguments import static
from explorer.worker.syntax.code_tree import fix

_DTYPES = ("int", "float", "complex", "bool")
_TAKE_WHERE = ("sum", "mean", "prod", "any", "all", "std", "var")
_SIZED = ("nonzero", "flatnonzero", "argwhere", "where", "unique")


def keep_array(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that removes float(), int() or .item(), so that the value stays an array."""
    code = scene.code
    for call in scene.calls():
        if isinstance(call.func, ast.Name) and call.func.id in _DTYPES and len(call.args) == 1:
            inner = call.args[0]
            text = code.written(inner)
            if not isinstance(inner, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
                text = f"({text})"
            new = f"{text}.astype({call.func.id})"
            yield fix(code, label("keep_array", new=new), code.replace(call, new))
        elif isinstance(call.func, ast.Attribute) and call.func.attr in ("item", "tolist") and not call.args:
            new = code.written(call.func.value)
            yield fix(code, label("keep_array", new=new), code.replace(call, new))


def use_jnp(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that replaces NumPy's function by that of jax.numpy."""
    for call in scene.calls():
        function = call.func
        if not isinstance(function, ast.Attribute) or scene.value(function.value) is not numpy:
            continue
        if hasattr(jax.numpy, function.attr):
            old, new = scene.written(function), f"jnp.{function.attr}"
            yield fix(scene.code, label("jnp", old=old, new=new), scene.code.replace(function, new))


def blank_out(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fixes that keep the shape where a boolean mask selects values."""
    code = scene.code
    picked = next((each for each in code.covering(code.span(scene.node)) if isinstance(each, ast.Subscript)), None)
    if picked is None:
        return
    array, mask = code.written(picked.value), code.written(picked.slice)
    attribute = code.parents.get(picked)
    call = code.parents.get(attribute) if isinstance(attribute, ast.Attribute) else attribute
    if isinstance(call, ast.Call) and not call.keywords:
        name = attribute.attr if isinstance(attribute, ast.Attribute) else ast.unparse(call.func).rpartition(".")[2]
        if name in _TAKE_WHERE and len(call.args) == (0 if isinstance(attribute, ast.Attribute) else 1):
            new = f"jnp.{name}({array}, where={mask})"
            yield fix(code, label("reduce_where"), code.replace(call, new))
    yield fix(code, label("where_mask"), code.replace(picked, f"jnp.where({mask}, {array}, 0)"))


def say_size(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that passes `size`, the largest number of results, to jnp.nonzero and similar functions."""
    for call in scene.calls():
        name = ast.unparse(call.func).rpartition(".")[2]
        if name in _SIZED and len(call.args) == 1:
            inner = call.args[0]
            text = scene.written(inner)
            size = f"{text}.size" if isinstance(inner, ast.Name | ast.Attribute) else f"({text}).size"
            edit = scene.code.insert_after(call.args[-1], f", size={size}")
            yield fix(scene.code, label("sized", size=size), edit)


def slice_dynamically(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fixes for a slice with traced ends: ``x[i:i + 3]`` becomes dynamic, ``x[:n]`` needs a static end."""
    code = scene.code
    sliced = next((each for each in code.covering(code.span(scene.node)) if isinstance(each, ast.Subscript)), None)
    if sliced is None or not isinstance(sliced.slice, ast.Slice):
        return
    lower, upper = sliced.slice.lower, sliced.slice.upper
    added = upper if lower and isinstance(upper, ast.BinOp) and isinstance(upper.op, ast.Add) else None
    if lower and added and ast.unparse(added.left) == ast.unparse(lower):
        parts = ", ".join(code.written(each) for each in (sliced.value, lower, added.right))
        yield fix(code, label("dynamic_slice"), code.replace(sliced, f"jax.lax.dynamic_slice_in_dim({parts})"))
    ends = ast.Tuple([each for each in (lower, upper) if each], ast.Load())
    function = code.function_around(sliced)
    if function is not None:
        behind = names_behind(function, ends)
        names = [each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg) and each.arg in behind]
        yield from static(scene, [name for name in names if is_traced(scene.values.get(name))])


def index_an_array(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that converts the indexed list to an array."""
    code = scene.code
    for picked in code.covering(code.span(scene.node)):
        if isinstance(picked, ast.Subscript) and not isinstance(picked.slice, ast.Slice):
            new = f"jnp.array({code.written(picked.value)})"
            yield fix(code, label("array_index"), code.replace(picked.value, new))
            return


def copy_out(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix for values appended to an outer list during a trace: copy them out at run time."""
    code = scene.code
    edits: list[Edit] = []
    for call in code.parents:
        match call, code.function_around(call):
            case ast.Call(func=ast.Attribute(ast.Name(name), "append" | "add") as target, args=[given]), function:
                if function is not None and name not in code.scopes[function].own:
                    new = f"jax.debug.callback({code.written(target)}, {code.written(given)})"
                    edits.append(code.replace(call, new))
    statement = code.statement_around(scene.node)
    if edits and statement is not None:
        # The values arrive after the device has run; their reader must wait.
        place = statement.lineno
        indent = code.lines[place - 1][: code.span(statement).column]
        edits.append(Edit(Span(place, 0, place, 0), "", f"{indent}jax.effects_barrier()\n"))
        yield fix(code, label("copy_out"), *edits)
