"""Equinox's filter_jit, whose program takes the arrays of a call, and all else as one static argument."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, repeat
from types import CodeType, FunctionType
from typing import Any

from explorer.worker.internals.jit.jit_traces import Asked, StaticValue


def of_user(asked: Asked, is_user_code: Callable[[str], bool]) -> Asked:
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
