"""Fixes for arrays of keys with too many or too few elements for a vmap: as many keys as examples."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from explorer.messages import Edit, Fix
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.functions import inputs_of, parameters, value_of
from explorer.worker.fixes.keys.maps import chain
from explorer.worker.fixes.keys.repeated import counts
from explorer.worker.syntax.code_tree import CodeTree, fix, last_name
from explorer.worker.syntax.scopes import FunctionNode


def as_many_keys(code: CodeTree, call: ast.Call, axes: list[object]) -> Iterator[Fix]:
    """Yield the fixes that make as many keys as there are examples in the arguments of `call`, mapped along `axes`."""
    depth = len(chain(code, call))
    for place, argument in enumerate(call.args):
        others = [
            (each, axis)
            for number, (each, axis) in enumerate(zip(call.args, axes, strict=True))
            if number != place and isinstance(axis, int) and next(split_calls(code, each, []), None) is None
        ]
        if axes[place] != 0 or not others:
            continue
        along = others[0][1]
        assert isinstance(along, int)
        for made, there in split_calls(code, argument, [others[0][0]]):
            by_axis = counts(code, there[0], along)
            for count in by_axis if depth == 1 else [f"{code.written(there[0])}.shape[:{depth}]"]:
                yield fix(code, label("as_many_keys"), with_count(code, made, count))


def with_count(code: CodeTree, made: ast.Call, count: str) -> Edit:
    """Return the edit that sets the number of keys of `made`, a call of split, to `count`."""
    written = made.args[1] if len(made.args) > 1 else None
    written = written or next((each.value for each in made.keywords if each.arg == "num"), None)
    return code.replace(written, count) if written is not None else code.insert_after(made.args[0], f", {count}")


# -- sources of arguments ------------------------------------------------------------------------


def split_calls(
    code: CodeTree, key: ast.expr, others: Sequence[ast.expr], depth: int = 3
) -> Iterator[tuple[ast.Call, list[ast.expr]]]:
    """Yield the calls of split that make the keys in the expression `key`, each with its names for `others`."""
    found = value_of(code, key) if isinstance(key, ast.Name) else key
    if isinstance(found, ast.Call) and last_name(found.func) == "split" and found.args:
        yield found, list(others)
    elif isinstance(found, ast.Name) and found is not key and depth:
        yield from split_calls(code, found, others, depth - 1)
    elif found is None and isinstance(key, ast.Name) and depth:
        function = code.function_around(key)
        names = [key.id, *(each.id for each in others if isinstance(each, ast.Name))]
        if function is not None and {*names} <= {each.arg for each in parameters(function)}:
            for first, *rest in _given(code, function, names):
                yield from split_calls(code, first, rest, depth - 1)


def _given(code: CodeTree, function: FunctionNode, names: Sequence[str]) -> Iterator[list[ast.expr]]:
    """Yield the values of the arguments `names` of `function`, from ``inputs`` and from its defaults."""
    known = [each.arg for each in parameters(function)]
    default = dict(zip(known[::-1], function.args.defaults[::-1], strict=False))
    for given in [*inputs_of(code), default]:
        if all(name in given for name in names):
            yield [given[name] for name in names]
