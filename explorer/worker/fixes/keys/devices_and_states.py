"""Fixes for keys shared by devices, and for keys in states that are replaced."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import partial

from explorer.messages import Edit, Fix, Span
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.keys.uses import uses_at
from explorer.worker.fixes.spelling import fold_in, free_name, split
from explorer.worker.syntax.code_tree import CodeTree, last_name, tried

_NAMING_AXES = ("PartitionSpec", "P", "make_mesh", "Mesh", "pmap")


def of_devices(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that fold the device index into the keys passed to the calls at `spans`."""
    calls = (each for each in code.parents if isinstance(each, ast.Call) and last_name(each.func) in _NAMING_AXES)
    texts = (each for call in calls for each in ast.walk(call) if isinstance(each, ast.Constant))
    names = dict.fromkeys(each.value for each in texts if isinstance(each.value, str))
    uses = uses_at(code, spans)
    for name in names if uses else ():
        number = f'jax.lax.axis_index("{name}")'
        keys = list(dict.fromkeys(each.key for each in uses))
        words = label("fold_devices", key=code.written(keys[0]))
        edits = [(each, fold_in(code, code.written(each), number)) for each in keys]
        yield from tried(code, words, partial(_replaced, code, edits))


def _replaced(code: CodeTree, new: Sequence[tuple[ast.expr, str]]) -> list[Edit]:
    return [code.replace(node, text) for node, text in new]


def of_states(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes for a key in a replaced state: the new state gets a new key too."""
    for use in uses_at(code, spans):
        if isinstance(use.key, ast.Attribute) and isinstance(use.key.value, ast.Name):
            words = label("split_first", key=code.written(use.key))
            yield from tried(code, words, partial(_key_of_state, code, use.key, use.key.value.id))


def _key_of_state(code: CodeTree, key: ast.Attribute, state: str) -> Iterator[Edit]:
    scope, statement = code.function_around(key), code.statement_around(key)
    if scope is None or statement is None:
        raise ValueError
    calls = (each for each in ast.walk(scope) if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute))
    (replaced,) = (
        each for each in calls if last_name(each.func) in ("replace", "_replace") and _owner(each.func) == state
    )
    next_key, used = free_name(code, scope, key.attr, "next_key"), free_name(code, scope, "subkey")
    yield code.insert_before(statement, f"{next_key}, {used} = {split(code, code.written(key))}")
    yield code.replace(key, used)
    yield code.insert_after(replaced.keywords[-1], f", {key.attr}={next_key}")


def _owner(function: ast.expr) -> str:
    return function.value.id if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) else ""
