"""What mends a finding: a key for each example where they share one, a split before a second use, one jit, a where."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress

from explorer.messages import Edit, Finding, Fix, Span
from explorer.worker.errors.code_tree import CodeTree, fix, readable
from explorer.worker.fixes.keys_and_maps import axes_of, in_axes_edit, maps_of
from explorer.worker.fixes.silent import bounds, host_random, host_state, jit_once, tracers, types
from explorer.worker.fixes.words import label

Maker = Callable[[CodeTree, tuple[Span, ...]], Iterator[Fix]]
OF_KEYS = ("shared-noise", "key-reuse")
"""Kinds of finding at level bug that are about keys."""
SILENT = ("host-random", "host-state", "leaked-tracer", "out-of-bounds", "silent-cast")
"""Kinds whose mends have to leave the outputs their shapes."""
_SPLIT = "jax.random.split({key}, len({example}))"


def proposed_for_finding(finding: Finding, text: str) -> list[Fix]:
    """Return the fixes to try for `finding` of the code `text`, the most fitting first; not tried yet."""
    code = readable(text)
    makers: dict[str, Maker] = {
        "shared-noise": _key_for_each,
        "key-reuse": _split_first,
        "recompiles": jit_once.before_the_loop,
        "nan": _where_before,
        "host-random": host_random.proposed,
        "host-state": host_state.proposed,
        "leaked-tracer": tracers.proposed,
        "out-of-bounds": lambda code, _spans: bounds.proposed(code, finding),
        "silent-cast": types.proposed,
    }
    maker = makers.get(finding.kind)
    found: list[Fix] = []
    # The code may have any form: a maker that meets one it does not know has nothing to offer.
    with suppress(ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError):
        for each in maker(code, finding.spans) if code and maker else ():
            if each not in found:
                found.append(each)
    return found


def _key_for_each(code: CodeTree, spans: tuple[Span, ...]) -> Iterator[Fix]:
    """Yield the fixes that split the key that a vmap among `spans` hands over whole."""
    for span in spans:
        for outer in code.covering(span):
            inner = maps_of(code, outer) if isinstance(outer, ast.Call) else None
            if inner is None or not isinstance(outer, ast.Call):
                continue
            axes = axes_of(inner, len(outer.args))
            if axes is None or len(axes) != len(outer.args):
                continue
            mapped = next((each for each, axis in zip(outer.args, axes, strict=True) if axis == 0), None)
            if mapped is not None:
                example = code.written(mapped)
                yield from _mapped_keys(code, inner, outer, axes, example)
                yield from _handed_keys(code, inner, outer, axes, example)


def _mapped_keys(code: CodeTree, inner: ast.Call, outer: ast.Call, axes: list[object], example: str) -> Iterator[Fix]:
    """Yield the fixes that map an argument which is a key and is not mapped."""
    for place, axis in enumerate(axes):
        if axis is None:
            key = code.written(outer.args[place])
            edits = [
                code.replace(outer.args[place], _SPLIT.format(key=key, example=example)),
                in_axes_edit(code, inner, [*axes[:place], 0, *axes[place + 1 :]]),
            ]
            yield fix(code, label("split_keys", key=key), *edits)


def _handed_keys(code: CodeTree, inner: ast.Call, outer: ast.Call, axes: list[object], example: str) -> Iterator[Fix]:
    """Yield the fixes that hand a key to a lambda which draws with one from around it."""
    function = inner.args[0]
    if not isinstance(function, ast.Lambda):
        return
    own = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    names = {each.id for each in ast.walk(function.body) if isinstance(each, ast.Name)} - own
    for key in sorted(name for name in names if "key" in name or "rng" in name):
        last = function.args.args[-1]
        edits = [
            _after_argument(code, last, f", {key}"),
            code.insert_after(outer.args[-1], f", {_SPLIT.format(key=key, example=example)}"),
        ]
        if any(each.arg == "in_axes" for each in inner.keywords) or len(inner.args) > 1:
            edits.append(in_axes_edit(code, inner, [*axes, 0]))
        yield fix(code, label("split_keys", key=key), *edits)


def _after_argument(code: CodeTree, last: ast.arg, new: str) -> Edit:
    """Return the edit that puts `new` behind the argument `last`."""
    name = ast.Name(last.arg)
    name.lineno, name.col_offset = last.lineno, last.col_offset
    name.end_lineno, name.end_col_offset = last.end_lineno, last.end_col_offset
    return code.insert_after(name, new)


def _split_first(code: CodeTree, spans: tuple[Span, ...]) -> Iterator[Fix]:
    """Yield the fix that splits the key above each use of it but the last."""
    uses = [use for span in dict.fromkeys(spans) if (use := _key_used(code, span)) is not None]
    if not uses:
        return
    key = uses[0].id
    edits = []
    for use in uses[:-1] or uses:
        statement = code.statement_around(use)
        if statement is None or use.id != key:
            return
        edits += [
            code.insert_before(statement, f"{key}, subkey = jax.random.split({key})"),
            code.replace(use, "subkey"),
        ]
    yield fix(code, label("split_first", key=key), *edits)


def _key_used(code: CodeTree, span: Span) -> ast.Name | None:
    """Return the name that the call at `span` takes its key from."""
    for node in code.covering(span):
        if isinstance(node, ast.Call):
            named = [each.value for each in node.keywords if each.arg == "key"]
            for each in (*named, *node.args):
                if isinstance(each, ast.Name):
                    return each
    return None


def _where_before(code: CodeTree, spans: tuple[Span, ...]) -> Iterator[Fix]:
    """Yield the fix that keeps away from an operation the numbers which a where around it does not choose."""
    for span in spans:
        operation = next((each for each in code.covering(span) if isinstance(each, ast.expr)), None)
        if operation is None:
            continue
        inner: ast.AST = operation
        for outer in code.around(operation):
            if isinstance(outer, ast.Call) and _is_where(outer) and inner in outer.args[1:]:
                operand = operation.right if isinstance(operation, ast.BinOp) else _only_argument(operation)
                if operand is None:
                    return
                where, condition, value = map(code.written, (outer.func, outer.args[0], operand))
                chosen = f"{value}, 1.0" if inner is outer.args[1] else f"1.0, {value}"
                new = f"{where}({condition}, {chosen})"
                yield fix(code, label("where_before", value=value), code.replace(operand, new))
                return
            inner = outer


def _is_where(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "where" and len(call.args) == 3


def _only_argument(operation: ast.expr) -> ast.expr | None:
    return operation.args[0] if isinstance(operation, ast.Call) and len(operation.args) == 1 else None
