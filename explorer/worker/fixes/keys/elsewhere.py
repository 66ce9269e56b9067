"""Keys for what has neither arguments nor rounds to count: devices, the leaves of a tree, calls of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import partial

from explorer.messages import Edit, Fix, Span
from explorer.worker.errors.code_tree import CodeTree, FunctionNode, tried
from explorer.worker.fixes.keys import closures
from explorer.worker.fixes.keys.functions import (
    applications,
    function_of,
    loads,
    parameters,
    with_argument,
    with_parameter,
)
from explorer.worker.fixes.keys.spelling import fold_in, free_name, last_name, split
from explorer.worker.fixes.keys.uses import round_counts, uses_at
from explorer.worker.fixes.words import label

_NAMING_AXES = ("PartitionSpec", "P", "make_mesh", "Mesh", "pmap")


def of_devices(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that fold the number of each device into the keys that the calls at `spans` are handed."""
    calls = (
        each for each in ast.walk(code.tree) if isinstance(each, ast.Call) and last_name(each.func) in _NAMING_AXES
    )
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


def of_leaves(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that hand a key to each call of a function that is mapped over the leaves of a tree."""
    for node in dict.fromkeys(each for span in spans for each in code.covering(span)):
        mapped = isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("tree.map", "tree_map"))
        function = function_of(code, node.args[0]) if mapped and isinstance(node, ast.Call) and node.args else None
        if function is None or not isinstance(node, ast.Call):
            continue
        for key in closures.closed_over(code, function):
            yield from tried(code, label("split_leaves", key=key), partial(_key_for_leaf, code, node, function, key))


def _key_for_leaf(code: CodeTree, call: ast.Call, function: FunctionNode, key: str) -> Iterator[Edit]:
    tree = code.written(call.args[1])
    keys = split(code, key, f"len(jax.tree.leaves({tree}))")
    edit, place = with_parameter(code, function, key)
    yield edit
    yield with_argument(code, call, place + 1, key, f"jax.tree.unflatten(jax.tree.structure({tree}), {keys})")
    yield from closures.handed_down(code, function, key, key)


def of_calls(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that hand a key to a function which makes the same one in each call."""
    for node in dict.fromkeys(each for span in spans for each in code.covering(span)):
        function = code.function_around(node)
        seeded = isinstance(node, ast.Call) and last_name(node.func) in ("key", "PRNGKey")
        if isinstance(node, ast.Call) and seeded and isinstance(function, ast.FunctionDef):
            words = label("hand_keys", function=function.name)
            yield from tried(code, words, partial(_key_for_call, code, function, node))


def _key_for_call(code: CodeTree, function: ast.FunctionDef, made: ast.Call) -> Iterator[Edit]:
    name = free_name(code, None, "key") if any(each.arg == "key" for each in parameters(function)) else "key"
    statement = code.parents[made]
    if isinstance(statement, ast.Assign) and [last_name(each) for each in statement.targets] == [name]:
        yield code.without(statement)
    elif loads(function, name):
        raise ValueError
    else:
        yield code.replace(made, name)
    edit, place = with_parameter(code, function, name)
    yield edit
    counted: dict[ast.AST, str] = {}
    calls = applications(code, function)
    for number, call in enumerate(calls):
        text = code.written(made)
        for count, edits in round_counts(code, call, counted):
            yield from edits
            text = fold_in(code, text, count)
        yield with_argument(code, call, place, name, fold_in(code, text, str(number)) if len(calls) > 1 else text)
