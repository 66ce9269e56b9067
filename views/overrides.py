"""whole_exceptions(): an exception in an override of a virtual function of Qt is reported, and ends no process.

Until Python 3.12 an exception that C code raises has no object yet where no Python code has handled it, such as that of
``[][0]``. PySide6 6.8 to 6.11 takes its message for that object: https://docs.python.org/3/c-api/exceptions.html.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from PySide6.QtCore import QObject

_EVERY_CLASS: Any = QObject.__mro__[-2]
"""Shiboken's base class of all classes of Qt."""


def whole_exceptions() -> None:
    """Let the overrides of all classes that are made from now on raise exceptions with an object."""
    if sys.version_info < (3, 12):
        _EVERY_CLASS.__init_subclass__ = classmethod(_with_whole_exceptions)


def _with_whole_exceptions(kind: type[Any], /, **_: object) -> None:
    of_qt = [each for each in kind.__mro__ if each.__module__.startswith("PySide6.")]
    for name, function in list(vars(kind).items()):
        if isinstance(function, FunctionType) and any(name in vars(each) for each in of_qt):
            setattr(kind, name, _whole(function))


def _whole(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def override(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except BaseException:
            # Python makes the object when it looks for a handler.
            raise

    return override
