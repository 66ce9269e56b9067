"""Programs that ask for more memory than there is: a smaller parameter, or the examples a few at a time."""

from __future__ import annotations

import ast
import math
import os
import time
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np

from explorer.messages import Fix
from explorer.worker.errors.code_tree import fix
from explorer.worker.errors.scene import Scene
from explorer.worker.fixes.keys_and_maps import axes_of, maps_of
from explorer.worker.fixes.shapes import closed
from explorer.worker.fixes.words import label

MOST_BYTES = 2**28
"""What a changed program may ask for while it is tried."""
MOST_S = 2.0
"""Seconds that a program which takes a few examples at a time may take by estimate; a running one cannot be stopped."""
_ASKED = r"allocat\w+ (\d+) bytes"


def smaller_parameter(scene: Scene) -> Iterator[Fix]:
    """Yield the fixes that give a parameter of ``inputs`` so small a default that the array fits."""
    share = _share(scene)
    for node in scene.code.tree.body:
        if not isinstance(node, ast.FunctionDef) or node.name != "inputs":
            continue
        names = node.args.args[len(node.args.args) - len(node.args.defaults) :]
        for argument, default in zip(names, node.args.defaults, strict=True):
            value = default.value if isinstance(default, ast.Constant) else None
            if type(value) is int and value > 1:
                new = str(_power_below(value * share))
                yield fix(
                    scene.code, label("smaller", parameter=argument.arg, new=new), scene.code.replace(default, new)
                )


def few_at_a_time(scene: Scene) -> Iterator[Fix]:
    """Yield the fix that puts jax.lax.map with a batch size in place of vmap."""
    share = _share(scene)
    for inner, outer in _maps_around(scene):
        axes = axes_of(inner, len(outer.args))
        if axes is None or len(axes) != len(outer.args) or outer.keywords or not set(axes) <= {0, None}:
            continue
        mapped = [argument for argument, axis in zip(outer.args, axes, strict=True) if axis == 0]
        values = [scene.on_the_way.get(each.id) for each in mapped if isinstance(each, ast.Name)]
        lengths = {len(value) for value in values if isinstance(value, jax.Array | np.ndarray) and value.ndim}
        if any(each.arg == "out_axes" for each in inner.keywords) or len(lengths) != 1 or not mapped:
            continue
        (count,) = lengths
        size = _power_below(count * share)
        function, over = _per_example(scene, inner, outer, axes), ", ".join(map(scene.written, mapped))
        over = over if len(mapped) == 1 else f"({over})"
        if _estimate_s(scene, function, over, size, count) <= MOST_S:
            new = f"jax.lax.map({function}, {over}{f', batch_size={size}' if size > 1 else ''})"
            words = label("few_at_a_time", size=str(size)) if size > 1 else label("one_at_a_time")
            yield fix(scene.code, words, scene.code.replace(outer, new))


def _maps_around(scene: Scene) -> Iterator[tuple[ast.Call, ast.Call]]:
    """Yield the calls ``vmap(f)`` and ``vmap(f)(...)`` whose function failed, or that failed themselves."""
    around = scene.code.function_around(scene.node)
    inside = {scene.node, *scene.code.around(scene.node)}
    for outer in (each for each in ast.walk(scene.code.tree) if isinstance(each, ast.Call)):
        inner = maps_of(scene.code, outer)
        if inner is None or not inner.args:
            continue
        function = inner.args[0]
        named = isinstance(function, ast.Name) and function.id == getattr(around, "name", None)
        if named or outer in inside or function in inside:
            yield inner, outer


def _per_example(scene: Scene, inner: ast.Call, outer: ast.Call, axes: list[Any]) -> str:
    """Return the function of one example, which gets what is mapped as one value."""
    function = closed(scene, inner.args[0])
    if len(axes) == 1:
        return scene.written(inner.args[0])
    several, parts, number = axes.count(0) > 1, [], 0
    for argument, axis in zip(outer.args, axes, strict=True):
        if axis is None:
            parts.append(scene.written(argument))
            continue
        parts.append(f"each[{number}]" if several else "each")
        number += 1
    return f"lambda each: {function}({', '.join(parts)})"


def _estimate_s(scene: Scene, function: str, over: str, size: int, count: int) -> float:
    """Return how many seconds `count` examples take by what the first `size` of them take, infinity where they fail."""
    names = {**scene.on_the_way, "jax": jax}
    try:
        few = jax.tree.map(lambda each: each[:size], eval(over, names))
        run = jax.jit(eval(f"lambda few: jax.lax.map({function}, few, batch_size={size})", names))
        jax.block_until_ready(run(few))
        begun = time.perf_counter()
        jax.block_until_ready(run(few))
    except Exception:  # whatever it is, it does not run
        return math.inf
    return (time.perf_counter() - begun) * count / size


def _share(scene: Scene) -> float:
    """Return which part of what was asked for may be asked for instead. Raises ValueError where that is not told."""
    match = scene.search(_ASKED)
    if match is None:
        raise ValueError("the message does not tell how much was asked for")
    return min(1.0, min(MOST_BYTES, _free_bytes() // 8) / int(match[1]))


def _free_bytes() -> int:
    limit = (jax.devices()[0].memory_stats() or {}).get("bytes_limit")
    if limit:
        return int(limit)
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 32 * MOST_BYTES


def _power_below(number: float) -> int:
    """Return the greatest power of two up to `number`, 1 at least."""
    return int(2 ** math.floor(math.log2(number))) if number > 1 else 1
