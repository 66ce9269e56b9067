"""Python's while and for over several variables, as loops of JAX that carry all of them."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import jax.numpy as jnp

from explorer.messages import Edit, Fix
from explorer.worker.errors.code_tree import fix, lengths
from explorer.worker.errors.scene import Scene
from explorer.worker.fixes.choices import as_one_test
from explorer.worker.fixes.shapes import closed
from explorer.worker.fixes.words import label

_STAYS_PYTHON = (
    ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal,
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.NamedExpr, ast.comprehension,
)  # fmt: skip
"""What a body must not have in it: it leaves the loop, or has names of its own."""


def loop_with_state(scene: Scene) -> Iterator[Fix]:
    """Yield the fix that makes a function of the body of a loop, whose variables go from round to round."""
    code = scene.code
    loop = next(
        (each for each in (scene.node, *code.around(scene.node)) if isinstance(each, ast.While | ast.For)), None
    )
    if loop is None or loop.orelse or any(isinstance(each, _STAYS_PYTHON) for each in ast.walk(loop)):
        return
    carried = [name for name in _assigned(loop.body) if name in scene.values]
    body = _lines(code.lines[loop.body[0].lineno - 1 : loop.body[-1].end_lineno])
    if not carried or len(loop.body) == 1 or loop.body[0].lineno == loop.lineno:
        return
    if isinstance(loop, ast.While):
        test = _function("goes_on", "", carried, [f"return {as_one_test(code, loop.test)}"])
        made, name = [*test, "", *_round(carried, body)], "while_loop"
        call = f"jax.lax.while_loop(goes_on, one_round, {_state(carried)})"
    else:
        ends = [code.written(each) for each in getattr(loop.iter, "args", [])]
        if not isinstance(loop.target, ast.Name) or not _is_range(loop.iter) or len(ends) not in (1, 2):
            return
        start, stop = ("0", ends[0]) if len(ends) == 1 else ends
        made, name = _round(carried, body, f"{loop.target.id}, "), "fori_loop"
        call = f"jax.lax.fori_loop({start}, {stop}, one_round, {_state(carried)})"
    indent = " " * code.span(loop).column
    new = textwrap.indent("\n".join([*made, "", f"{', '.join(carried)} = {call}"]), indent).lstrip()
    yield fix(code, label(name), code.replace(loop, new))


def _round(carried: Sequence[str], body: Sequence[str], before: str = "") -> list[str]:
    return _function("one_round", before, carried, [*body, f"return {', '.join(carried)}"])


def _function(name: str, before: str, carried: Sequence[str], body: Sequence[str]) -> list[str]:
    """Return the lines of a function of the state, which it takes apart where it is more than one variable."""
    if len(carried) == 1:
        return [f"def {name}({before}{carried[0]}):", *_indented(body)]
    return [f"def {name}({before}state):", *_indented([f"{', '.join(carried)} = state", *body])]


def _state(carried: Sequence[str]) -> str:
    return carried[0] if len(carried) == 1 else f"({', '.join(carried)})"


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]


def _lines(lines: Sequence[str]) -> list[str]:
    return textwrap.dedent("\n".join(lines)).split("\n")


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "range" and not node.keywords


def _assigned(body: Sequence[ast.stmt]) -> list[str]:
    """Return the names that `body` sets, each once, in the order of the text."""
    names = [
        each
        for part in body
        for each in ast.walk(part)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    ]
    names.sort(key=lambda name: (name.lineno, name.col_offset))
    return list(dict.fromkeys(each.id for each in names))


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
