"""Reports each request for the jaxpr of a function, traced or cached, with the arguments that make up its cache key."""

from __future__ import annotations

import re
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count, islice, repeat
from types import CodeType, FunctionType
from typing import Any

import msgspec
from jax._src import tree_util
from jax._src.interpreters import partial_eval
from msgspec.structs import replace

from explorer.worker.internals import traces
from explorer.worker.internals.guard import Guard, replaced
from explorer.worker.internals.sources import JAX_FILES

_ADDRESS = re.compile(r" at 0x[0-9a-f]+(?=>)")
"""A memory address in a repr: different in each run."""
_STATIC = getattr(tree_util, "Static", None)
"""The pytree node class of static arguments."""
MOST_WRAPPERS = 20
"""Largest number of wrappers to search for user code."""


class JaxprLookup(msgspec.Struct, frozen=True):
    """One request for the jaxpr of a function, new or cached."""

    number: int
    """Counted from 0 in the order of the requests; an inner function follows its caller."""
    function: Any
    name: str
    filename: str
    """The file that defines the function; empty if unknown."""
    line: int
    names: tuple[str, ...]
    """Names of the arguments, or of the arrays in them."""
    values: tuple[Any, ...]
    """In the same order, the type of each array, and a StaticValue for each static argument."""
    structure: Any
    """The pytree structure of the arguments."""
    result: object
    """The same object while JAX's cache holds it."""
    requested_by: str = "jit"
    """``jit``, or the operation that is compiled to run at once, such as ``scan``."""


class StaticValue(msgspec.Struct, frozen=True):
    """A static argument."""

    value: Any

    @property
    def text(self) -> str:
        """Return the value's repr, shortened."""
        return shown(self.value)


class FunctionObjects:
    """Numbering of function objects without strong references: JAX drops the programs of a deleted function."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Callable[[], Any], int]] = {}
        self._numbers = count(1)

    def number(self, function: Any) -> int:
        """Return a unique number for `function`."""
        known = self._known.get(id(function))
        if known is not None and known[0]() is function:
            return known[1]
        try:
            references: Callable[[], Any] = weakref.ref(function)
        except TypeError:

            def references() -> Any:
                return function

        number = next(self._numbers)
        self._known[id(function)] = references, number
        return number


def shown(value: Any) -> str:
    """Return the repr of a static `value`, at most 80 characters, without addresses; the class name if repr fails."""
    try:
        return _ADDRESS.sub("", repr(value))[:80]
    except Exception:
        return type(value).__name__


def _arguments(types: Any, names: Sequence[str]) -> tuple[tuple[str, ...], tuple[Any, ...], Any]:
    """Return the names, values and structure of a trace's arguments, for `JaxprLookup`.

    The pytrees are inspected, never rebuilt: their classes belong to the program and may compute when built.
    """
    try:
        given = list(_given(types))
    except (AssertionError, AttributeError):  # JAX 0.11 makes such types for higher derivatives
        return tuple(names), tuple(types.vals), None
    left_names, left_types = iter(names), iter(types.vals)
    all_names: list[str] = []
    values: list[Any] = []
    forms: list[Any] = []
    for place, static, tree in given:
        if static is not None:
            all_names.append(place)
            values.append(static)
            forms.append((place, "static"))
        else:
            all_names += [next(left_names, "an argument") for _ in range(tree.num_leaves)]
            values += islice(left_types, tree.num_leaves)
            forms.append((place, tree))
    return tuple(all_names), tuple(values), tuple(forms)


def _given(types: Any) -> Iterator[tuple[str, StaticValue | None, Any]]:
    """Yield name or position, value if it is static, and pytree of each argument."""
    if types.tree.num_leaves == len(types.vals):
        for place, tree in _in_tree(types.tree):
            kind, about = tree.node_data() or (None, None)
            is_static = kind is not None and kind is _STATIC
            yield place, StaticValue(getattr(about, "val", about)) if is_static else None, tree
        return
    # Since JAX 0.11 a static argument has no types, but counts as a leaf of the tree.
    positional, named = types.elts
    places = [f"argument {number}" for number in range(len(positional.elts))]
    for place, each in zip((*places, *named.keys), (*positional.elts, *named._vals), strict=True):
        yield place, None if len(each) or not hasattr(each, "val") else StaticValue(each.val), each.tree


def _in_tree(tree: Any) -> Iterator[tuple[str, Any]]:
    """Yield (name or position, pytree) of each argument in the `tree` of all arguments."""
    for side in tree.children():
        kind, keys = side.node_data() or (None, ())
        if kind not in (tuple, dict):
            yield "", side  # arguments of a loop have no names
            continue
        arguments = side.children()
        names = keys if kind is dict else [f"argument {number}" for number in range(len(arguments))]
        yield from zip(map(str, names), arguments, strict=True)


def same(one: Any, other: Any) -> bool:
    """Return whether a cache would treat both as equal; a user's ``__eq__`` may raise."""
    if one is other:
        return True
    try:
        return bool(type(one) is type(other) and one == other)
    except Exception:
        return False


def wrapped_code(asked: JaxprLookup, is_wanted: Callable[[str], bool]) -> CodeType | None:
    """Return the code of the function in a file accepted by `is_wanted` that a JAX function wraps, or None."""
    waiting = deque([asked.function] if asked.filename.startswith(JAX_FILES) else [])
    for _ in range(MOST_WRAPPERS):
        if not waiting:
            break
        each = waiting.popleft()
        code = getattr(each, "__code__", None)
        if isinstance(code, CodeType) and is_wanted(code.co_filename):
            return code
        references = [getattr(each, name, None) for name in ("__wrapped__", "__func__", "func", "f")]
        with suppress(ValueError):  # an unbound variable
            references += [cell.cell_contents for cell in getattr(each, "__closure__", None) or ()]
        waiting += [inner for inner in references if hasattr(inner, "__code__") or hasattr(inner, "f")]
    return None


def made_by_jax(function: Any) -> bool:
    """Return whether `function` is JAX's own and wraps no other.

    It then traces the transpose of a known program, which has the name of the user's function since JAX 0.11.
    """
    code = getattr(function, "__code__", None)
    return (
        isinstance(code, CodeType) and code.co_filename.startswith(JAX_FILES) and not hasattr(function, "__wrapped__")
    )


@contextmanager
def reporting_lookups(tell: Callable[[JaxprLookup], None]) -> Iterator[Guard]:
    """Call `tell` after each request for the jaxpr of a function in this thread, in the block.

    Exceptions of `tell` do not reach the program: the yielded guard keeps the first one, and reports stop. Requests by
    others than jit are reported only outside of traces. Traces that lower an operation (JAX 0.11) are not reported:
    they belong to a program whose trace was.
    """
    original: Any = partial_eval.trace_to_jaxpr
    thread, numbers, guard = threading.get_ident(), count(), Guard()

    def trace_to_jaxpr(*arguments: Any, **options: Any) -> Any:
        number = next(numbers)
        result = original(*arguments, **options)
        if threading.get_ident() == thread:
            guard(report, number, result, *arguments, **options)
        return result

    # The names are JAX's: some of its callers pass them by name.
    def report(number: int, result: object, fun: Any, in_avals: Any, debug_info: Any, *_rest: Any, **_: Any) -> None:
        function, types, about = fun, in_avals, debug_info
        requested_by = about.traced_for
        if requested_by != "jit" and (requested_by == "lower_fun" or traces.under_way()):
            return
        place = about.func_filename or "", about.func_lineno or 0
        given = _arguments(types, about.arg_names or ())
        tell(JaxprLookup(number, function, about.func_name, *place, *given, result, about.traced_for))

    trace_to_jaxpr.evict_weakref = original.evict_weakref  # type: ignore[attr-defined]
    with replaced(partial_eval, "trace_to_jaxpr", trace_to_jaxpr):
        yield guard


def unwrapped_filter_jit(asked: JaxprLookup, is_user_code: Callable[[str], bool]) -> JaxprLookup:
    """Return the request as one for the user's function that filter_jit calls, with its arguments; any other as it is.

    The static argument holds a pair for the function, the first argument and the other arguments: the leaves, with None
    for each array, and the structure (``_filter_jit_cache`` in equinox/_jit.py).
    """
    match asked.values:
        case (*arrays, StaticValue((((FunctionType() as function,), _), (tuple(first), form), (tuple(rest), forms)))):
            code = function.__code__
        case _:
            return asked
    if not is_user_code(code.co_filename):
        return asked
    leaves = list(zip(_names(code, form, forms), (*first, *rest), strict=False))
    static = [(name, StaticValue(leaf)) for name, leaf in leaves if leaf is not None]
    traced = zip((name for name, leaf in leaves if leaf is None), arrays, strict=False)
    names, values = zip(*traced, *static, strict=True) if leaves else ((), ())
    return replace(
        asked,
        function=function,
        filename=code.co_filename,
        line=code.co_firstlineno,
        names=names,
        values=values,
        structure=(form, forms, *(leaf is None for _, leaf in leaves)),
    )


def _names(code: CodeType, first: Any, rest: Any) -> Iterator[str]:
    """Yield the name of the argument of each leaf."""
    positional, named = rest.children()
    names = code.co_varnames[: code.co_argcount]
    for name, each in zip(chain(names, repeat("an argument")), (first, *positional.children()), strict=False):
        yield from repeat(name, each.num_leaves)
    for name, each in zip(named.node_data()[1], named.children(), strict=True):
        yield from repeat(name, each.num_leaves)
