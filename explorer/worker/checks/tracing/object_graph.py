"""The objects below a user object, by path; tracers in it; the frames around a trace; a counter set to a number."""

from __future__ import annotations

import ast
import functools
import gc
import itertools
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import jax
import numpy as np

from explorer.worker.checks.tracing.instrumentation import ReportingPlace
from explorer.worker.code.user_code import MODULE_NAME
from explorer.worker.internals.traces import MAKES_PROGRAMS, TRANSFORMS

MOST_OBJECTS = 5000
"""Largest number of objects per search: the rest of a large structure resembles its beginning."""
MOST_ITEMS = 1000
"""Largest number of items per container."""
_LEAVES = (type(None), bool, int, float, complex, str, bytes, np.ndarray, np.generic, jax.Array, types.ModuleType)
_THEIRS = (MODULE_NAME, "__main__")
"""Modules whose classes belong to the user, and may hold user objects."""


def step(value: Any, name: str) -> Any:
    """Return the attribute `name` of `value`, or the item for a name such as ``['w']``. The access may raise."""
    return value[ast.literal_eval(name[1:-1])] if name.startswith("[") else getattr(value, name)


def holds(roots: Iterable[Any], wanted: Any) -> bool:
    """Return whether `wanted` is one of `roots` or reachable from them."""
    return any(value is wanted for _, value in everything(("", each) for each in roots))


def frames_around(
    frame: FrameType | None, is_user_code: Callable[[str], bool]
) -> tuple[list[FrameType], list[FrameType]]:
    """Return the frames of user code from `frame` outwards: those under trace, and those around the trace.

    The trace ends at the innermost jaxpr. Without one, it ends at the outermost vmap or derivative: objects left behind
    by an inner one disappear with its enclosing function.
    """
    frames = []
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    files = [each.f_code.co_filename for each in frames]
    makers = [place for place, file in enumerate(files) if file in MAKES_PROGRAMS]
    transforms = [place for place, file in enumerate(files) if file == TRANSFORMS]
    end = makers[0] if makers else transforms[-1] if transforms else len(frames)
    traced = [each for each, file in zip(frames[:end], files, strict=False) if is_user_code(file)]
    return traced, [each for each, file in zip(frames[end:], files[end:], strict=True) if is_user_code(file)]


def tracers_in(value: Any, name: str, *, but: Iterable[Any] = ()) -> Iterator[tuple[str, Any]]:
    """Yield (path, tracer) for each tracer in `value`, whose path is `name`, without the objects in `but`."""
    for path, each in everything([(name, value)], but):
        if isinstance(each, jax.core.Tracer):
            yield path, each


def tracers_in_names(names: dict[str, Any], but: Iterable[Any] = ()) -> Iterator[tuple[str, Any]]:
    """Yield (path, tracer) for each tracer in the values of the `names` of a module, without the objects in `but`."""
    own = types.SimpleNamespace(**{name: value for name, value in names.items() if not name.startswith("__")})
    return ((path.removeprefix("."), tracer) for path, tracer in tracers_in(own, "", but=but))


def everything(roots: Iterable[tuple[str, Any]], but: Iterable[Any] = ()) -> Iterator[tuple[str, Any]]:
    """Yield (path, object) for `roots` and all objects reachable from them, nearest first, without those in `but`."""
    seen = {id(each) for each in but}
    waiting = deque(roots)
    while waiting and len(seen) < MOST_OBJECTS:
        name, value = waiting.popleft()
        if isinstance(value, jax.core.Tracer):
            yield name, value
        elif not isinstance(value, _LEAVES) and id(value) not in seen:
            seen.add(id(value))
            yield name, value
            # A container may be changing, and an object may raise on any access.
            with suppress(Exception):
                waiting.extend([(f"{name}{each}", inner) for each, inner in _parts(value)])


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield (path step, part) for each part of `value`."""
    if isinstance(value, dict):
        yield from ((f"[{key!r}]", each) for key, each in _first(value.items()))
    elif isinstance(value, list | tuple | deque):
        yield from ((f"[{number}]", each) for number, each in enumerate(_first(value)))
    elif isinstance(value, set | frozenset):
        yield from (("", each) for each in _first(value))
    elif isinstance(value, functools.partial):
        yield from (("", each) for each in (value.func, *value.args, *value.keywords.values()))
    elif isinstance(value, functools._lru_cache_wrapper):
        # Only the garbage collector knows the cached results.
        yield from (("()", each) for each in gc.get_referents(value) if not isinstance(each, type))
    elif isinstance(value, types.MethodType):
        yield from (("", value.__self__), ("", value.__func__))
    if callable(value) or not isinstance(value, dict | list | tuple | deque | set | frozenset):
        if isinstance(value, types.FunctionType):
            yield from _of_function(value)
        yield from _attributes(value)


def _of_function(value: types.FunctionType) -> Iterator[tuple[str, Any]]:
    for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=False):
        try:
            yield f": {name}", cell.cell_contents
        except ValueError:  # not bound yet
            continue
    yield from (("", each) for each in value.__defaults__ or ())
    yield from (("", each) for each in (value.__kwdefaults__ or {}).values())


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    try:
        attributes = vars(value)
    except TypeError:
        attributes = {}
    if isinstance(value, type) and value.__module__ not in _THEIRS:
        return
    for name, each in _first(attributes.items()):
        if not name.startswith("__") or name == "__wrapped__":
            yield ("" if name == "__wrapped__" else f".{name}"), each


def _first(values: Iterable[Any]) -> list[Any]:
    return list(itertools.islice(values, MOST_ITEMS))


def is_changeable(value: Any) -> bool:
    """Return whether `value` is a mutable container or an iterator."""
    return isinstance(value, list | dict | set | deque | bytearray | np.ndarray | Iterator)


OTHER_COUNTS = (2_519_999, 1, 0)
"""Predecessor of a multiple of most periods, above most limits; the last step of a countdown; its end."""


@contextmanager
def set_to(number: int, place: ReportingPlace, holder: Any, module: dict[str, Any]) -> Iterator[bool]:
    """Set the counter at `place`, a part of `holder` or a name of `module`, to `number` in the block.

    Yield whether it is an integer at all.
    """
    before = value_at(place, holder)
    put = _setter(place, holder, module) if type(before) is int else None
    if put is None:
        yield False
        return
    put(number)
    try:
        yield True
    finally:
        put(before)


def value_at(place: ReportingPlace, holder: Any) -> Any:
    """Return the value at `place`, or None if it is gone."""
    try:
        return holder() if place.kind == "rebound" else step(holder, place.leaf) if place.leaf else None
    except Exception:  # user code answers here
        return None


def _setter(place: ReportingPlace, holder: Any, module: dict[str, Any]) -> Callable[[int], None] | None:
    if place.kind == "part":
        if place.leaf.startswith("["):
            return lambda number: holder.__setitem__(ast.literal_eval(place.leaf[1:-1]), number)
        return lambda number: setattr(holder, place.leaf, number)
    if place.is_global:
        return lambda number: module.__setitem__(place.base, number)
    # A closure that reads a variable has exactly this cell.
    return lambda number: setattr(holder.__closure__[0], "cell_contents", number)
