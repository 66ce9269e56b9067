"""Exit handlers of a program, which run at the end of its run and not of the process."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable
from typing import Any

from explorer.worker.process import user_modules
from explorer.worker.process.settings_of_python import Setting

Exit = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
_wanted: list[Exit] = []
_register = atexit.register


def _registered(function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Callable[..., Any]:
    """Register like ``atexit.register``, and keep the handlers of user code."""
    file = sys._getframe(1).f_code.co_filename
    if (file.startswith("<") and not file.startswith("<frozen ")) or user_modules.is_user_file(file):
        _wanted.append((function, arguments, named))
    return _register(function, *arguments, **named)


def take() -> list[Exit]:
    """Return the handlers to call now, in order, and unregister them."""
    found = _wanted[::-1]
    _put([])
    return found


def _put(wanted: list[Exit]) -> None:
    for function, _, _ in _wanted:
        atexit.unregister(function)
    _wanted[:] = wanted
    for function, arguments, named in wanted:
        _register(function, *arguments, **named)


EXITS = Setting(lambda: list(_wanted), _put)
atexit.register = _registered
