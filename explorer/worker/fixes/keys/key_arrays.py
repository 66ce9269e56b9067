"""Fixes for arrays of keys: one key repeated becomes a split, as many keys as examples; and the number of examples."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from explorer.messages import Edit, Fix, Span
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.functions import inputs_of, parameters, value_of
from explorer.worker.fixes.keys.maps import chain
from explorer.worker.fixes.spelling import is_key_like, split
from explorer.worker.syntax.code_tree import CodeTree, fix, last_name
from explorer.worker.syntax.scopes import FunctionNode

_STACKED = ("stack", "array", "asarray", "vstack", "concatenate")


def split_instead(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that split a key where it is repeated, first in the functions around `spans`."""
    found = []
    for node in code.parents:
        if isinstance(node, ast.expr):
            found += [(node, *each) for each in _repeated(code, node)]
    near = {each for span in spans for each in code.covering(span)}
    found.sort(key=lambda each: not any(outer in near for outer in code.around(each[0])))
    for node, key, count in found:
        yield fix(code, label("split_repeated", key=key), code.replace(node, split(code, key, count)))


def _repeated(code: CodeTree, node: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield (key, count) if `node` is an array or list that repeats one key."""
    if not isinstance(node, ast.Call):
        outer = getattr(code.parents.get(node), "func", node)
        yield from _of_list(code, node) if last_name(outer) not in _STACKED else ()
        return
    if last_name(node.func) in _STACKED and node.args:
        yield from _of_list(code, node.args[0])
    yield from _of_call(code, node)


def _of_list(code: CodeTree, node: ast.expr) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(one, ast.List | ast.Tuple) and len(one.elts) == 1 and is_key_like(one.elts[0]):
                yield code.written(one.elts[0]), code.written(other)
    elif isinstance(node, ast.ListComp) and len(node.generators) == 1 and is_key_like(node.elt):
        over = node.generators[0]
        bound = {each.id for each in ast.walk(over.target) if isinstance(each, ast.Name)}
        if not over.ifs and not bound & {each.id for each in ast.walk(node.elt) if isinstance(each, ast.Name)}:
            yield code.written(node.elt), next(counts(code, over.iter), "")
    elif isinstance(node, ast.List) and len(node.elts) > 1 and is_key_like(node.elts[0]):
        texts = {code.written(each) for each in node.elts}
        if len(texts) == 1:
            yield texts.pop(), str(len(node.elts))


def _of_call(code: CodeTree, node: ast.Call) -> Iterator[tuple[str, str]]:
    name = last_name(node.func)
    given = [*node.args, *(each.value for each in node.keywords if each.arg in ("shape", "repeats", "reps"))]
    if name == "repeat" and isinstance(node.func, ast.Attribute) and is_key_like(_whole(node.func.value)):
        given = [node.func.value, *given]
    if name == "full":
        given = given[1::-1]
    if name not in ("broadcast_to", "repeat", "tile", "full") or len(given) < 2 or not is_key_like(_whole(given[0])):
        return
    key, shape = code.written(_whole(given[0])), given[1]
    if isinstance(shape, ast.Tuple) and shape.elts:
        # The words of a raw key, and the ones passed to tile, are no axis of keys.
        yield key, code.written(shape.elts[0])
        if len(shape.elts) > 1:
            yield key, code.written(shape)
    else:
        yield key, code.written(shape)


def _whole(node: ast.expr) -> ast.expr:
    """Return the key of ``key[None]``."""
    return node.value if isinstance(node, ast.Subscript) and _is_new_axis(node.slice) else node


def _is_new_axis(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(
        (isinstance(each, ast.Constant) and each.value is None) or last_name(each) == "newaxis" for each in parts
    )


_SHAPED = ("zeros", "ones", "empty", "full", "normal", "uniform")


def counts(code: CodeTree, node: ast.expr, axis: int = 0) -> Iterator[str]:
    """Yield expressions for the number of examples along `axis` of `node`, the plainest first; some may be wrong."""
    made = value_of(code, node) if isinstance(node, ast.Name) else node
    if isinstance(made, ast.Tuple | ast.List) and made.elts and axis == 0:
        # vmap maps each element of the tuple.
        yield from counts(code, made.elts[0])
    if isinstance(node, ast.Tuple):
        return
    if isinstance(node, ast.Call):
        yield from _written_count(code, node, axis)
    text = code.written(node)
    if axis == 0:
        yield f"len({text})"
    else:
        yield f"{text}.shape[{axis}]"
    yield f"jax.tree.leaves({text})[0].shape[{axis}]"
    if isinstance(made, ast.Call) and made is not node:
        # The array may not be defined yet at that point.
        yield from _written_count(code, made, axis)


def _written_count(code: CodeTree, call: ast.Call, axis: int) -> Iterator[str]:
    """Yield the length written in `call`, if `call` makes an array from a length or a shape."""
    name, first = last_name(call.func), call.args[0] if call.args else None
    if first is None:
        return
    if name in ("arange", "range") and len(call.args) == 1:
        yield code.written(first)
    if name == "split" and len(call.args) == 2:
        first, name = call.args[1], "zeros"
    if name in _SHAPED:
        shape = next((each for each in call.args if isinstance(each, ast.Tuple)), None)
        if shape is not None and axis < len(shape.elts):
            yield code.written(shape.elts[axis])
        elif axis == 0 and name in ("zeros", "ones", "empty"):
            yield code.written(first)


# -- as many keys as examples ----------------------------------------------------------------------------------------


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
