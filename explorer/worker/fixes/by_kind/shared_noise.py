"""Fixes that give each example its own key, where a vmap shares one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from explorer.messages import Edit, Finding, Fix
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.functions import references, value_of, with_argument, with_parameter
from explorer.worker.fixes.keys.key_arrays import counts, split_instead, with_count
from explorer.worker.fixes.keys.maps import VmappedFunction, chain, mapped_function
from explorer.worker.fixes.keys.uses import closed_over, folded_by_device
from explorer.worker.fixes.spelling import is_key_like, split
from explorer.worker.syntax.code_tree import CodeTree, last_name, tried
from explorer.worker.syntax.scopes import FunctionNode


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that give each example its own key, for vmaps at the places of `finding`."""
    spans = [*(place.span for place in finding.places if place.role == "shared"), *finding.spans]
    outers = [each for span in spans for each in code.covering(span) if isinstance(each, ast.Call)]
    mapped = [(outer, maps) for outer in dict.fromkeys(outers) if (maps := chain(code, outer))]
    for which in range(3):
        for outer, maps in mapped:
            yield from _of_call(code, outer, maps, which)
        if which == 0:
            yield from split_instead(code, spans)
    if finding.axis is None:
        spent = [place.span for place in finding.places if place.role == "spent"]
        yield from folded_by_device(code, spent or finding.spans)
    elif finding.examples is not None:
        for outer, maps in mapped:
            yield from _closed_over(code, outer, maps, str(finding.examples))


def _of_call(code: CodeTree, outer: ast.Call, maps: list[VmappedFunction], which: int) -> Iterator[Fix]:
    """Yield the fixes that write the number of examples in the way number `which`."""
    if any(isinstance(each, ast.Starred) for each in outer.args):
        return
    try:
        axes = [each.axes(len(outer.args)) for each in maps]
    except ValueError:
        return
    every = _count(code, outer, axes, which)
    if every is not None:
        yield from _mapped(code, outer, maps, axes, every)
    if every is not None:
        yield from _closed_over(code, outer, maps, every)


def _count(code: CodeTree, outer: ast.Call, axes: list[list[object]], which: int) -> str | None:
    """Return the number of examples along all `axes`, written in the way number `which`, or None."""
    for place, argument in enumerate(outer.args):
        here = [each[place] for each in axes]
        if is_key_like(argument) and len(outer.args) > 1 and any(not is_key_like(each) for each in outer.args):
            continue
        if len(here) > 1 and all(each == 0 for each in here):
            return f"{code.written(argument)}.shape[:{len(here)}]" if which == 0 else None
        if len(here) == 1 and isinstance(here[0], int):
            return next((text for number, text in enumerate(counts(code, argument, here[0])) if number == which), None)
    return None


def _mapped(
    code: CodeTree, outer: ast.Call, maps: list[VmappedFunction], axes: list[list[object]], count: str
) -> Iterator[Fix]:
    """Yield the fixes that map an unmapped key argument."""
    places = [each for each in range(len(outer.args)) if any(here[each] is None for here in axes)]
    for place in sorted(places, key=lambda each: not is_key_like(outer.args[each])):
        argument = outer.args[place]
        made = _split_call(code, argument) if len(maps) > 1 or axes[0][place] is not None else None
        key = code.written(argument if made is None else made.args[0])
        keys = code.replace(argument, split(code, key, count)) if made is None else with_count(code, made, count)
        yield from tried(code, label("split_keys", key=key), partial(_edits_of_mapped, code, maps, axes, place, keys))


def _edits_of_mapped(
    code: CodeTree, maps: list[VmappedFunction], axes: list[list[object]], place: int, keys: Edit
) -> Iterator[Edit]:
    yield keys
    for each, here in zip(maps, axes, strict=True):
        yield from each.with_axes(code, [*here[:place], 0, *here[place + 1 :]])


def _split_call(code: CodeTree, node: ast.expr) -> ast.Call | None:
    """Return the call of split behind `node`, or None."""
    found = value_of(code, node) if isinstance(node, ast.Name) else node
    return found if isinstance(found, ast.Call) and last_name(found.func) == "split" and found.args else None


def _closed_over(code: CodeTree, outer: ast.Call, maps: list[VmappedFunction], count: str) -> Iterator[Fix]:
    """Yield the fixes that pass a key to a mapped function that draws from an enclosing one."""
    function = mapped_function(code, maps)
    if function is None:
        return
    for key in closed_over(code, function):
        given = key, split(code, key, count)
        yield from tried(code, label("split_keys", key=key), partial(_handed, code, outer, maps, function, given))
    for made in _made_inside(function):
        words = label("split_keys", key=code.written(made))
        yield from tried(code, words, partial(_edits_of_made, code, outer, maps, function, made, count))


def _edits_of_made(
    code: CodeTree, outer: ast.Call, maps: list[VmappedFunction], function: FunctionNode, made: ast.Call, count: str
) -> Iterator[Edit]:
    """Yield the edits that pass the key which `made` makes inside `function` as an argument instead."""
    yield from _handed(code, outer, maps, function, ("key", split(code, code.written(made), count)))
    statement = code.parents[made]
    if isinstance(statement, ast.Assign) and [last_name(each) for each in statement.targets] == ["key"]:
        yield code.without(statement)
    elif not list(code.scopes[function].uses("key")):
        yield code.replace(made, "key")
    else:
        raise ValueError


def _handed(
    code: CodeTree, outer: ast.Call, maps: list[VmappedFunction], function: FunctionNode, given: tuple[str, str]
) -> Iterator[Edit]:
    name, value = given
    if len(references(code, function)) > 1:
        raise ValueError
    edit, place = with_parameter(code, function, name)
    yield edit
    yield with_argument(code, outer, place, name, value)
    for each in maps:
        axes = each.axes(len(outer.args))
        yield from each.with_axes(code, [*axes[:place], 0, *axes[place:]])


def _made_inside(function: FunctionNode) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and last_name(node.func) in ("key", "PRNGKey"):
            yield node
