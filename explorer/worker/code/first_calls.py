"""The functions that a script calls: each is a variant, with the arguments of its first call."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import Any

from jax.core import Tracer

from explorer.worker.code import trees
from explorer.worker.code.calls import signature_of


class FirstCall(BaseException):
    """The function whose first call was awaited has been called; the program ends there."""


def called_functions(tree: ast.Module) -> dict[str, int]:
    """Return the line of the first call of each function of the module that the script `tree` calls, in this order.

    Looked at are the top level, and the functions that it calls if they have no decorator: under jit, a call has no
    arrays of its own.
    """
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    found: dict[str, int] = {}
    for call in _calls(tree.body, functions, set()):
        found.setdefault(call.func.id, call.lineno)  # type: ignore[attr-defined]
    return found


def _calls(statements: Iterable[ast.stmt], functions: dict[str, ast.FunctionDef], seen: set[str]) -> Iterator[ast.Call]:
    """Yield the calls of names in `statements`, and in the functions that they call."""
    calls = (each for node in statements for each in executed(node) if isinstance(each, ast.Call))
    for call in sorted(calls, key=lambda each: (each.lineno, each.col_offset)):
        if not isinstance(call.func, ast.Name):
            continue
        yield call
        inner = functions.get(call.func.id)
        if inner is not None and not inner.decorator_list and inner.name not in seen:
            seen.add(inner.name)
            yield from _calls(inner.body, functions, seen)


def executed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield `node` and all inside, without functions and classes that are only defined there."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return
    yield node
    for each in ast.iter_child_nodes(node):
        yield from executed(each)


class WatchedNames(MutableMapping[str, Any]):
    """The global names of a module while it runs; the first call of the function `awaited` raises FirstCall.

    Only a call with its own arrays counts, not one that JAX traces.
    """

    def __init__(self, names: dict[str, Any], awaited: str) -> None:
        self._names = names
        self._awaited = awaited
        self.arguments: dict[str, Any] | None = None
        """The named arguments of that call; None if it has not come."""

    def end(self) -> None:
        """Give the name its own function back."""
        found = self._names.get(self._awaited)
        if isinstance(found, _Awaited):
            self._names[self._awaited] = found.__wrapped__

    def __setitem__(self, name: str, value: Any) -> None:
        is_awaited = name == self._awaited and callable(value) and not isinstance(value, type | _Awaited)
        self._names[name] = _Awaited(value, self._take) if is_awaited else value

    def _take(self, function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> None:
        if self.arguments is None and not any(isinstance(each, Tracer) for each in trees.leaves((args, named))):
            self.arguments = _by_name(function, args, named)
            raise FirstCall

    def __getitem__(self, name: str) -> Any:
        return self._names[name]

    def __delitem__(self, name: str) -> None:
        del self._names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Awaited:
    """A function whose calls are reported before they are made."""

    __wrapped__: Callable[..., Any]

    def __init__(self, function: Callable[..., Any], take: Callable[..., None]) -> None:
        functools.update_wrapper(self, function)
        self._take = take

    def __call__(self, *args: Any, **named: Any) -> Any:
        self._take(self.__wrapped__, args, named)
        return self.__wrapped__(*args, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__wrapped__, name)


def _by_name(function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments by name. Raises TypeError if `function` takes any number of them by position."""
    signature = signature_of(function)
    given = signature.bind(*args, **named).arguments
    found: dict[str, Any] = {}
    for name, value in given.items():
        kind = signature.parameters[name].kind
        if kind is kind.VAR_POSITIONAL:
            raise TypeError(f"{name} takes any number of arguments")
        found |= value if kind is kind.VAR_KEYWORD else {name: value}
    return found
