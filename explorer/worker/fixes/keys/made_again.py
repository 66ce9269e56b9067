"""Fixes for one key made in two places, or in each iteration of a loop: make another key."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from explorer.messages import Fix, Span
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.keys.uses import folded, in_a_loop
from explorer.worker.fixes.spelling import fold_in
from explorer.worker.syntax.code_tree import CodeTree, fix, last_name

_SEEDED = ("key", "PRNGKey")


def other_keys(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that make other keys at some of the places in `spans`."""
    made = [call for span in spans for call in _makers(code, span)]
    for each in made:
        if in_a_loop(code, each) and last_name(each.func) in _SEEDED:
            yield from _counted(code, each)
    for each in reversed(made) if len(made) > 1 else ():
        data = each.args[-1]
        new = _unused(code, last_name(each.func)) if isinstance(data, ast.Constant) else f"{code.written(data)} + 1"
        called = code.written(each.func)
        rest = [code.written(other) for other in each.args[:-1]]
        yield fix(code, label("other_seed", new=f"{called}({', '.join([*rest, new])})"), code.replace(data, new))


def _counted(code: CodeTree, made: ast.Call) -> Iterator[Fix]:
    """Yield the fixes for a key made in each iteration, from a changing or from a constant seed."""
    data = made.args[0]
    if not isinstance(data, ast.Constant):
        base = f"{code.written(made.func)}({_unused(code, last_name(made.func))})"
        new = fold_in(code, base, code.written(data))
        yield fix(code, label("other_seed", new=new), code.replace(made, new))
    yield fix(code, label("fold_rounds", key=code.written(made)), *folded(code, [made]))


def _makers(code: CodeTree, span: Span) -> list[ast.Call]:
    for node in code.covering(span):
        if isinstance(node, ast.Call) and last_name(node.func) in (*_SEEDED, "fold_in") and node.args:
            return [node]
    return []


def _unused(code: CodeTree, name: str) -> str:
    """Return the smallest number that no call of `name` in the code is passed."""
    calls = (each for each in code.parents if isinstance(each, ast.Call) and last_name(each.func) == name)
    given = {each.args[-1].value for each in calls if each.args and isinstance(each.args[-1], ast.Constant)}
    return str(next(number for number in range(len(given) + 1) if number not in given))
