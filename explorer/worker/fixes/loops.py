"""Python's while and for over several variables, as loops of JAX that carry all of them."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence

from explorer.messages import Fix
from explorer.worker.errors.code_tree import fix
from explorer.worker.errors.scene import Scene
from explorer.worker.fixes.choices import as_one_test
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
