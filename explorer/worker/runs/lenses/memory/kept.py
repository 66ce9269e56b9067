"""The arrays that a program holds between calls: those that its global names reach."""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import jax
from jax.core import Tracer

from explorer.messages.lenses.memory import EagerArray, Kept
from explorer.worker.code import calls, trees
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.runs.lens import Asked
from explorer.worker.runs.lenses.memory.eager import EagerPeak

MOST_OBJECTS = 100_000
"""Number of objects of one program to look into."""


def called_once(asked: Asked) -> tuple[tuple[Kept, ...], tuple[EagerArray, ...] | None]:
    """Call the variant of a freshly loaded program; return what its global names hold then, and the arrays at its peak.

    Raises the exceptions of the program.
    """
    loaded, call, inputs = asked.loaded()
    before, peak = _held(loaded), EagerPeak(loaded.is_user_code)
    with peak.watching():
        outputs = calls.call(call, inputs)
    trees.waited_for(outputs)
    found = (
        Kept(name, loaded.lines.get(name, (0, 0))[0], len(arrays), sum(arrays.values()), sum(earlier.values()))
        for name, arrays in _held(loaded).items()
        for earlier in (before.get(name, {}),)
    )
    return tuple(sorted(found, key=lambda each: -each.bytes)), peak.found()


def _held(program: LoadedProgram) -> dict[str, dict[int, int]]:
    """Return the bytes of the arrays by their id, for each global name; an array of several names is the first's."""
    found: dict[str, dict[int, int]] = {}
    seen: set[int] = set()
    for name, value in list(vars(program.module).items()):
        # An alias of an array would count it twice.
        arrays = {id(each): each.nbytes for each in _arrays(value, program.module.__name__, seen)}
        if arrays:
            found[name] = arrays
    return found


def _arrays(value: Any, module: str, seen: set[int]) -> Iterator[jax.Array]:
    """Yield the arrays that `value` reaches and that are not `seen` yet.

    It looks into containers, pytrees, closures and defaults of functions, and objects of the program's own classes.
    """
    inside = [value]
    while inside and len(seen) < MOST_OBJECTS:
        each = inside.pop()
        if id(each) in seen or isinstance(each, types.ModuleType | type | Tracer):
            continue
        seen.add(id(each))
        if isinstance(each, jax.Array):
            if not each.is_deleted():
                yield each
        elif isinstance(each, types.FunctionType):
            inside += [*_closed_over(each), *(each.__defaults__ or ()), *(each.__kwdefaults__ or {}).values()]
        elif isinstance(each, dict):
            # As a pytree its keys would need an order.
            inside += each.values()
        elif isinstance(each, list | tuple | set | frozenset | deque):
            inside += each
        elif type(each).__module__ == module and hasattr(each, "__dict__"):
            inside += vars(each).values()
        elif callable(each):
            inside.append(getattr(each, "__wrapped__", None))
        else:
            inside += [leaf for leaf in jax.tree.leaves(each) if leaf is not each]


def _closed_over(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with suppress(ValueError):
            # It is empty until its name is bound.
            yield cell.cell_contents
