"""Branches of cond and switch that return different dtypes or shapes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

import jax.numpy as jnp

from explorer.messages import Edit, Fix
from explorer.worker.errors.code_tree import fix
from explorer.worker.errors.scene import Scene
from explorer.worker.fixes.shapes import closed, lengths
from explorer.worker.fixes.words import label

_DIFFER = (
    r"The output of (?P<one>[\w ]+?) has type (?P<one_type>\w+\[[\d,]*\]) but the corresponding output of "
    r"(?P<other>[\w ]+?) has type (?P<other_type>\w+\[[\d,]*\])"
)


class _Output(NamedTuple):
    dtype: str
    shape: tuple[int, ...]


def convert_branch(scene: Scene) -> Iterator[Fix]:
    """Yield the fix that brings one branch to the dtype and the shape of the other."""
    match = scene.search(_DIFFER)
    for call in scene.calls():
        if match is None or ast.unparse(call.func).rpartition(".")[2] not in ("cond", "switch"):
            continue
        outputs = {match[side]: _output(match[f"{side}_type"]) for side in ("one", "other")}
        for name, wanted in zip(outputs, reversed(outputs.values()), strict=True):
            branch = _branch(call, name)
            if branch is not None and _may_become(outputs[name], wanted):
                words = f"{wanted.dtype}[{','.join(map(str, wanted.shape))}]"
                edit = _converted(scene, branch, outputs[name], wanted)
                yield fix(scene.code, label("convert_branch", branch=scene.written(branch), type=words), edit)
        return


def _output(text: str) -> _Output:
    dtype, _, shape = text.rstrip("]").partition("[")
    return _Output(dtype, tuple(lengths(shape)))


def _may_become(output: _Output, wanted: _Output) -> bool:
    """Return whether `output` can be made `wanted` without a loss: no dtype is narrowed, no axis is cut."""
    if jnp.promote_types(output.dtype, wanted.dtype) != wanted.dtype:
        return False
    padded = (1,) * (len(wanted.shape) - len(output.shape)) + output.shape
    return len(padded) == len(wanted.shape) and all(
        have in (1, want) for have, want in zip(padded, wanted.shape, strict=True)
    )


def _branch(call: ast.Call, name: str) -> ast.expr | None:
    """Return what stands for the branch that JAX's message calls `name`: true_fun, false_fun, branch 0, branch1."""
    keywords = {each.arg: each.value for each in call.keywords}
    if name in ("true_fun", "false_fun"):
        place = 1 if name == "true_fun" else 2
        return keywords.get(name) or (call.args[place] if len(call.args) > place else None)
    written = keywords.get("branches") or (call.args[1] if len(call.args) > 1 else None)
    number = int(name.removeprefix("branch"))
    return written.elts[number] if isinstance(written, ast.List | ast.Tuple) and number < len(written.elts) else None


def _converted(scene: Scene, branch: ast.expr, output: _Output, wanted: _Output) -> Edit:
    place = branch.body if isinstance(branch, ast.Lambda) else branch
    value = scene.written(place) if isinstance(branch, ast.Lambda) else f"{closed(scene, branch)}(*args)"
    if isinstance(place, ast.Constant) and not wanted.shape and wanted.dtype.startswith("float"):
        return scene.code.replace(place, repr(float(place.value)))  # type: ignore[arg-type]
    if output.dtype != wanted.dtype:
        value = f"jnp.asarray({value}, jnp.{wanted.dtype})"
    if output.shape != wanted.shape:
        value = f"jnp.broadcast_to({value}, {wanted.shape})"
    return scene.code.replace(place, value if isinstance(branch, ast.Lambda) else f"lambda *args: {value}")
