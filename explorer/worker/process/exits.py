"""Exit handlers of a program, called at the end of its run instead of the process's."""

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
    """Do as ``atexit.register`` does, and remember what the user's own code asks for."""
    file = sys._getframe(1).f_code.co_filename
    if (file.startswith("<") and not file.startswith("<frozen ")) or user_modules.is_user_file(file):
        _wanted.append((function, arguments, named))
    return _register(function, *arguments, **named)


def take() -> list[Exit]:
    """Return what is to be called now, in this order; no one will call it later."""
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
