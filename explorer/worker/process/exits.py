"""Exit handlers of a program, which run at the end of its run and not of the process."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable
from typing import Any

from explorer.worker.process import user_modules

Exit = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
_wanted: list[Exit] = []
_register = atexit.register


def _registered(function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Callable[..., Any]:
    """Register like ``atexit.register``, and keep the handlers of user code."""
    if user_modules.is_user_code(sys._getframe(1).f_code.co_filename):
        _wanted.append((function, arguments, named))
    return _register(function, *arguments, **named)


def exits() -> list[Exit]:
    """Return the handlers of user code, in the order of their registration."""
    return list(_wanted)


def put_exits(wanted: list[Exit]) -> None:
    """Register the handlers `wanted` instead of those that are registered."""
    for function, _, _ in _wanted:
        atexit.unregister(function)
    _wanted[:] = wanted
    for function, arguments, named in wanted:
        _register(function, *arguments, **named)


def take() -> list[Exit]:
    """Return the handlers to call now, in order, and unregister them."""
    found = _wanted[::-1]
    put_exits([])
    return found


atexit.register = _registered
