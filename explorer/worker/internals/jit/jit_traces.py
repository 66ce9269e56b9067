"""The traces that jit and JAX's loops make, with their cache keys."""

from __future__ import annotations

import os
import re
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from pathlib import Path
from types import CodeType
from typing import Any

import jax
from jax._src import tree_util
from jax._src.interpreters import partial_eval

from explorer.worker.internals import traces
from explorer.worker.internals.guard import Guard

_JAX = f"{Path(jax.__file__).parent}{os.sep}"
_ADDRESS = re.compile(r" at 0x[0-9a-f]+(?=>)")
"""Where something lies in memory: it says nothing, and is another number in each run."""
_STATIC = getattr(tree_util, "Static", None)
"""The class of the nodes that hold static arguments."""
MOST_WRAPPERS = 20
"""Functions that are checked for one that JAX has wrapped."""


@dataclass(frozen=True)
class Asked:
    """One time that someone asked for the jaxpr of a function, whether it was traced for that or known already."""

    number: int
    """In the order in which they were asked for, from 0; an inner function follows the one that calls it."""
    function: Any
    name: str
    filename: str
    """Where the function is defined; empty where that is not known."""
    line: int
    names: tuple[str, ...]
    """Of its arguments, or of the arrays in them."""
    values: tuple[Any, ...]
    """In the same order, the type of each array, and a StaticValue for each static argument."""
    structure: Any
    """Of its arguments."""
    result: object
    """One and the same object as long as JAX remembers."""
    asker: str = "jit"
    """Who asked: ``jit``, or an operation that runs at once and is compiled for that, as ``scan``."""


@dataclass(frozen=True)
class StaticValue:
    """A static argument."""

    value: Any

    @property
    def text(self) -> str:
        """Return the value in Python's words."""
        return shown(self.value)


class FunctionObjects:
    """Tells function objects apart and holds on to none of them: with the object JAX forgets its programs."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Callable[[], Any], int]] = {}
        self._numbers = count(1)

    def number(self, function: Any) -> int:
        """Return a number that no other function object has had."""
        known = self._known.get(id(function))
        if known is not None and known[0]() is function:
            return known[1]
        try:
            references: Callable[[], Any] = weakref.ref(function)
        except TypeError:
            references = partial(_itself, function)
        number = next(self._numbers)
        self._known[id(function)] = references, number
        return number


def _itself(function: Any) -> Any:
    return function


def shown(value: Any) -> str:
    """Return a static `value` as Python writes it, shortened and without its address; it may be of any class."""
    try:
        return _ADDRESS.sub("", repr(value))[:80]
    except Exception:
        return type(value).__name__


def _arguments(types: Any, names: Sequence[str]) -> tuple[tuple[str, ...], tuple[Any, ...], Any]:
    """Return names, values and structure of what a function is traced for, as Asked has them.

    The trees in it are checked and never built: their classes are the program's, and made for its own values.
    """
    try:
        tree = types.tree
    except AssertionError:  # JAX 0.11 makes some, for derivatives of derivatives, that have no tree
        return tuple(names), tuple(types.vals), None
    if tree.num_leaves != len(types.vals):
        # From JAX 0.11 on the static arguments are hidden in `types`; which they are it does not tell.
        return (*names, ""), (*types.vals, StaticValue(types)), tree
    left_names, left_types = iter(names), iter(types.vals)
    all_names: list[str] = []
    values: list[Any] = []
    forms: list[Any] = []
    for place, each in _given(tree):
        kind, about = each.node_data() or (None, None)
        if kind is not None and kind is _STATIC:
            all_names.append(place)
            values.append(StaticValue(getattr(about, "val", about)))
            forms.append((place, "static"))
        else:
            count = each.num_leaves
            all_names += [next(left_names, "an argument") for _ in range(count)]
            values += islice(left_types, count)
            forms.append((place, each))
    return tuple(all_names), tuple(values), tuple(forms)


def _given(tree: Any) -> Iterator[tuple[str, Any]]:
    """Yield the tree of each argument in the `tree` of all of them, with the name or the place that it is given by."""
    for side in tree.children():
        kind, keys = side.node_data() or (None, ())
        if kind not in (tuple, dict):
            yield "", side  # a loop has no names for what it takes
            continue
        arguments = side.children()
        names = keys if kind is dict else [f"argument {number}" for number in range(len(arguments))]
        yield from zip(map(str, names), arguments, strict=True)


def same(one: Any, other: Any) -> bool:
    """Return whether the two are equal for a cache: values may be objects of the user's that fail when asked."""
    if one is other:
        return True
    try:
        return bool(type(one) is type(other) and one == other)
    except Exception:
        return False


def wrapped_code(asked: Asked, is_wanted: Callable[[str], bool]) -> CodeType | None:
    """Return the code of a function in a file that `is_wanted` around which a function of JAX's is wrapped."""
    waiting = deque([asked.function] if asked.filename.startswith(_JAX) else [])
    for _ in range(MOST_WRAPPERS):
        if not waiting:
            break
        each = waiting.popleft()
        code = getattr(each, "__code__", None)
        if isinstance(code, CodeType) and is_wanted(code.co_filename):
            return code
        references = [getattr(each, name, None) for name in ("__wrapped__", "__func__", "func", "f")]
        with suppress(ValueError):  # a variable that is not bound yet
            references += [cell.cell_contents for cell in getattr(each, "__closure__", None) or ()]
        waiting += [inner for inner in references if hasattr(inner, "__code__") or hasattr(inner, "f")]
    return None


def made_by_jax(function: Any) -> bool:
    """Return whether `function` is JAX's own code, wrapped around no other.

    So it traces the transpose of a program that it has, which from JAX 0.11 on goes by the name of the user's.
    """
    code = getattr(function, "__code__", None)
    return isinstance(code, CodeType) and code.co_filename.startswith(_JAX) and not hasattr(function, "__wrapped__")


@contextmanager
def asked_for_jaxprs(tell: Callable[[Asked], None]) -> Iterator[Guard]:
    """In the block, call `tell` each time that someone has got the jaxpr of a function in this thread.

    What that raises does not reach the program: the guard that is yielded has it, and nothing more is reported.

    Of those who are not jit only what is asked outside of any trace is reported, and nothing of what JAX 0.11 traces to
    lower an operation: it is part of a program whose trace was reported.
    """
    original: Any = partial_eval.trace_to_jaxpr
    thread, numbers, guard = threading.get_ident(), count(), Guard()

    def trace_to_jaxpr(function: Any, types: Any, about: Any, *rest: Any, **options: Any) -> Any:
        number = next(numbers)
        result = original(function, types, about, *rest, **options)
        asker = about.traced_for
        is_reported = asker == "jit" or (asker != "lower_fun" and not traces.under_way())
        if is_reported and threading.get_ident() == thread:
            guard(report, number, function, types, about, result)
        return result

    def report(number: int, function: Any, types: Any, about: Any, result: object) -> None:
        place = about.func_filename or "", about.func_lineno or 0
        given = _arguments(types, about.arg_names or ())
        tell(Asked(number, function, about.func_name, *place, *given, result, about.traced_for))

    for attribute in ("evict_weakref", "cache_clear", "evict_function"):
        if hasattr(original, attribute):
            setattr(trace_to_jaxpr, attribute, getattr(original, attribute))
    module: Any = partial_eval
    module.trace_to_jaxpr = trace_to_jaxpr
    try:
        yield guard
    finally:
        module.trace_to_jaxpr = original
