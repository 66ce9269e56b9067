"""The inputs that a function accepts, and its call with them (`call`), in which ``sys.exit()`` is no error."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Mapping
from typing import Any

_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def required_names(function: Callable[..., Any]) -> list[str]:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return []
    return [name for name, parameter in signature.parameters.items() if is_required(parameter)]


def is_required(parameter: inspect.Parameter) -> bool:
    collects = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return parameter.default is parameter.empty and not collects


def arguments_of(function: Callable[..., Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `inputs` that `function` accepts by name."""
    accepted = _accepted_names(function)
    return {name: value for name, value in inputs.items() if accepted is None or name in accepted}


def placed(function: Callable[..., Any], arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return `arguments` as a call of `function` passes them: by position if possible, else by name.

    Users write calls this way, and in_axes, argnums and static_argnums refer to positions.
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return (), dict(arguments)
    first = itertools.takewhile(lambda each: each.name in arguments and each.kind in _BY_POSITION, parameters)
    names = [each.name for each in first]
    return tuple(arguments[name] for name in names), {
        name: value for name, value in arguments.items() if name not in names
    }


def call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Return the result of `function` for the named `arguments`; None if it quits. Raises its exceptions."""
    by_position, by_name = placed(function, arguments)
    with ended_well():
        return function(*by_position, **by_name)


class ended_well:  # noqa: N801
    """Context that ends at ``sys.exit()`` without an error, as Python ends a script.

    A class, not a generator: contextlib asks the exception for attributes, which a program may have overridden.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        if kind is None or not issubclass(kind, SystemExit):
            return False
        code = vars(SystemExit)["code"].__get__(error)
        return code is None or (type(code) in (int, bool) and code == 0)


def _accepted_names(function: Callable[..., Any]) -> frozenset[str] | None:
    """Return the names that `function` accepts, None for any."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return frozenset(parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_POSITIONAL)
