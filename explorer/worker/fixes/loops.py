"""Python loops over traced values, rewritten as JAX loops that carry the assigned variables.

See https://docs.jax.dev/en/latest/201/control-flow.html.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence

from explorer.messages import Fix
from explorer.worker.errors.scene import ErrorScene
from explorer.worker.fixes.choices import as_one_test, one_assignment
from explorer.worker.fixes.fix_labels import label
from explorer.worker.syntax.code_tree import fix

_STAYS_PYTHON = (
    ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal,
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.NamedExpr, ast.comprehension,
)  # fmt: skip
"""Statements that keep a loop in Python: they leave it, or define names of their own."""


def loop_inside(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that rewrites a Python loop as a JAX loop with the assigned variables as its carry."""
    code = scene.code
    around = (scene.node, *code.around(scene.node))
    loop = next((each for each in around if isinstance(each, ast.While | ast.For)), None)
    if loop is None or loop.orelse:
        return
    only = one_assignment(code, loop.body)
    carried = [only[0]] if only else _carried(loop, scene)
    if not carried:
        return
    if isinstance(loop, ast.While):
        name, before, asked = "while_loop", "", as_one_test(code, loop.test)
        first = [f"lambda {carried[0]}: {asked}" if only else "goes_on"]
        made = [] if only else [*_function("goes_on", "", carried, [f"return {asked}"]), ""]
    else:
        ends = [code.written(each) for each in getattr(loop.iter, "args", [])]
        if not isinstance(loop.target, ast.Name) or not _is_range(loop.iter) or len(ends) not in (1, 2):
            return
        name, before, first, made = "fori_loop", f"{loop.target.id}, ", ["0", *ends][-2:], []
    if not only:
        lines = textwrap.dedent("\n".join(code.lines[loop.body[0].lineno - 1 : loop.body[-1].end_lineno])).split("\n")
        made += [*_function("one_round", before, carried, [*lines, f"return {', '.join(carried)}"]), ""]
    step = f"lambda {before}{only[0]}: {only[1]}" if only else "one_round"
    made.append(f"{', '.join(carried)} = jax.lax.{name}({', '.join([*first, step, _state(carried)])})")
    new = textwrap.indent("\n".join(made), " " * code.span(loop).column).lstrip()
    yield fix(code, label(name), code.replace(loop, new))


def _carried(loop: ast.While | ast.For, scene: ErrorScene) -> list[str]:
    """Return the variables that `loop` assigns and that existed before; [] if it must stay a Python loop."""
    if any(isinstance(each, _STAYS_PYTHON) for each in ast.walk(loop)) or loop.body[0].lineno == loop.lineno:
        return []
    return [name for name in _assigned(loop.body) if name in scene.values]


def _function(name: str, before: str, carried: Sequence[str], body: Sequence[str]) -> list[str]:
    """Return the lines of a function of the state, which it unpacks if it holds several variables."""
    if len(carried) == 1:
        return [f"def {name}({before}{carried[0]}):", *_indented(body)]
    return [f"def {name}({before}state):", *_indented([f"{', '.join(carried)} = state", *body])]


def _state(carried: Sequence[str]) -> str:
    return carried[0] if len(carried) == 1 else f"({', '.join(carried)})"


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "range" and not node.keywords


def _assigned(body: Sequence[ast.stmt]) -> list[str]:
    """Return the names that `body` assigns, without repetition, in source order."""
    names = [
        each
        for part in body
        for each in ast.walk(part)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    ]
    names.sort(key=lambda name: (name.lineno, name.col_offset))
    return list(dict.fromkeys(each.id for each in names))
