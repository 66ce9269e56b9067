"""Keys for devices, for the leaves of a tree and for repeated calls of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import partial

from explorer.messages import Edit, Fix, Span
from explorer.worker.errors.code_tree import CodeTree, FunctionNode, tried
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.functions import function_of, loads, parameters
from explorer.worker.fixes.keys import closures
from explorer.worker.fixes.keys.uses import iteration_indices, uses_at
from explorer.worker.fixes.spelling import fold_in, free_name, last_name, split
from explorer.worker.fixes.thread_argument import CallSite, calls_of, thread_argument, with_argument, with_parameter

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


def of_leaves(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that pass a key to each call of a function mapped over the leaves of a tree."""
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


def of_calls(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that pass a key to a function that otherwise makes the same key in each call."""
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
    counted: dict[ast.AST, str] = {}
    counts: list[Edit] = []
    sites = [each.call for each in calls_of(code, function)]

    def value_at(site: CallSite) -> str:
        if site.is_mapped:
            raise ValueError
        text = code.written(made)
        for count, edits in iteration_indices(code, site.call, counted):
            counts.extend(edits)
            text = fold_in(code, text, count)
        return fold_in(code, text, str(sites.index(site.call))) if len(sites) > 1 else text

    yield from thread_argument(code, function, name, value_at)
    yield from counts
