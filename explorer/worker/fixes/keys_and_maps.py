"""Fixes for misplaced keys and for the axes of vmap; `one_example`: edits that run a failing vmap on one example.

See https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Edit, Fix
from explorer.text.text import Text
from explorer.worker.errors.scene import ErrorScene
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.keys.key_arrays import as_many_keys, split_calls
from explorer.worker.fixes.keys.maps import VmappedFunction, axes_text, map_of
from explorer.worker.syntax.code_tree import fix
from explorer.worker.syntax.scopes import Placed


def one_key(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fixes for an array of keys in place of one key: map the call over the keys, or take the first."""
    match = scene.search(r"(\w+) accepts a single key")
    for call in scene.calls():
        if match is None or ast.unparse(call.func).rpartition(".")[2] != match[1] or not call.args:
            continue
        code, keys = scene.code, scene.written(call.args[0])
        others: list[Placed] = [*call.args[1:], *call.keywords]
        rest = [code.written(each) for each in others]
        inner = f"{code.written(call.func)}({', '.join(['key', *rest])})"
        mapped = f"jax.vmap(lambda key: {inner})({keys})"
        yield fix(code, label("map_keys", call=match[1]), code.replace(call, mapped))
        yield fix(code, label("first_key", keys=keys), code.insert_after(call.args[0], "[0]"))
        return


def make_key(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that makes a key from an integer seed in its place."""
    for call in scene.calls():
        for place in (*call.args[:1], *(each.value for each in call.keywords if each.arg == "key")):
            seed = scene.written(place)
            if isinstance(scene.value(place), int):
                new = f"jax.random.key({seed})"
                yield fix(scene.code, label("make_key", seed=seed), scene.code.replace(place, new))


def fold_in(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix for ``key + 1``."""
    node = scene.node
    if isinstance(node, ast.BinOp):
        for key, data in ((node.left, node.right), (node.right, node.left)):
            new = f"jax.random.fold_in({scene.written(key)}, {scene.written(data)})"
            yield fix(scene.code, label("fold_in"), scene.code.replace(node, new))


def key_data(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix for a key passed to NumPy."""
    for call in scene.calls():
        if call.args:
            new = f"jax.random.key_data({scene.written(call.args[0])})"
            yield fix(scene.code, label("key_data"), scene.code.replace(call.args[0], new))


# -- vmap -----------------------------------------------------------------------------------------------------


def repair_in_axes(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fixes that add or remove one entry of in_axes, and those that correct its length."""
    for inner, outer in _maps(scene):
        count = len(outer.args)
        axes = inner.written_axes(count)
        yield from _with_split_keys(scene, inner, outer, axes)
        if len(axes) == count and scene.search("inconsistent sizes"):
            yield from as_many_keys(scene.code, outer, axes)
            if any(scene.is_key(each) or next(split_calls(scene.code, each, []), None) for each in outer.args):
                # Each example was meant to get one key: passing all keys, or all examples, is no fix.
                continue
        for each in _other_axes(axes, count):
            yield fix(scene.code, label("in_axes", new=axes_text(each)), *inner.with_axes(scene.code, each))


def one_example(scene: ErrorScene) -> tuple[Edit, ...]:
    """Return the edits that pass only the first example to a vmap, or () if there is no vmap."""
    code = scene.code
    for inner, outer in _maps(scene):
        count = len(outer.args)
        written = inner.written_axes(count)
        axes = [*written, *[0] * count][:count]
        edits = list(inner.with_axes(code, axes)) if axes != written else []
        for each, axis in zip(outer.args, axes, strict=True):
            if isinstance(axis, int):
                first = f"jax.lax.slice_in_dim(each, 0, 1, axis={axis})"
                edits.append(code.replace(each, f"jax.tree.map(lambda each: {first}, {code.written(each)})"))
        return fix(code, Text(), *edits).edits
    return ()


def stack_outputs(scene: ErrorScene) -> Iterator[Fix]:
    """Yield the fix that removes out_axes."""
    for inner, _ in _maps(scene):
        made = inner.made
        if made is None or not any(_is_out_axes(each) for each in made.keywords):
            continue
        parts: list[ast.expr | ast.keyword] = [*made.args, *made.keywords]
        arguments = [scene.written(each) for each in parts if not _is_out_axes(each)]
        new = f"{scene.written(made.func)}({', '.join(arguments)})"
        yield fix(scene.code, label("out_axes"), scene.code.replace(made, new))


def _maps(scene: ErrorScene) -> Iterator[tuple[VmappedFunction, ast.Call]]:
    """Yield (vmap, call of its result) for each such pair around the failing place."""
    for outer in scene.calls():
        inner = map_of(scene.code, outer.func)
        if inner is not None:
            yield inner, outer


def _other_axes(axes: list[object], count: int) -> Iterator[list[object]]:
    if len(axes) != count:
        short = axes[:count]
        for filler in (0, None):
            yield short + [filler] * (count - len(short))
            if len(short) == count:
                return
        return
    for new in (None, 0):
        for place, axis in enumerate(axes):
            if axis != new and (count > 1 or new == 0):
                yield [*axes[:place], new, *axes[place + 1 :]]


def _with_split_keys(scene: ErrorScene, inner: VmappedFunction, outer: ast.Call, axes: list[object]) -> Iterator[Fix]:
    """Yield the fix that splits the single key argument, once per example of another argument."""
    code = scene.code
    if len(axes) != len(outer.args):
        return
    lengths = [each for each, axis in zip(outer.args, axes, strict=True) if axis == 0 and not scene.is_key(each)]
    for place, argument in enumerate(outer.args):
        if lengths and scene.is_key(argument) and scene.value(argument).ndim == 0:
            key = scene.written(argument)
            split = f"jax.random.split({key}, len({scene.written(lengths[0])}))"
            edits = [code.replace(argument, split)]
            if axes[place] != 0:
                edits += inner.with_axes(code, [*axes[:place], 0, *axes[place + 1 :]])
            yield fix(code, label("split_keys", key=key), *edits)


def _is_out_axes(node: ast.expr | ast.keyword) -> bool:
    return isinstance(node, ast.keyword) and node.arg == "out_axes"
