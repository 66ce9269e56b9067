"""Detects changes inside of others' objects that cannot be undone, by counting."""

from __future__ import annotations

import abc
import sys
from typing import Any

from explorer import OUR_FILES
from explorer.worker.code.user_code import MODULE_NAME
from explorer.worker.process import user_modules

_OF_FUNCTIONS = ("__code__", "__defaults__", "__kwdefaults__")
_changes = [0]
_real_register = abc.ABCMeta.register


def changes() -> int:
    """Return how often programs have changed what cannot be changed back."""
    return _changes[0]


def listen() -> None:
    """Count from now on what a program lets count as one of a family."""
    abc.ABCMeta.register = _register  # type: ignore[method-assign, assignment]


def heard(file: str, changed: Any, name: str, *_: Any) -> None:
    """Count it where code of `file`, if that is the program's, changes what others' functions do."""
    if name in _OF_FUNCTIONS and _is_user_code(file) and not _is_user_code(changed.__code__.co_filename):
        _changes[0] += 1


def _register(family: Any, member: Any) -> Any:
    """Let `member` count as one of `family`; of those that are not the program's own, no one can take it back."""
    if _is_user_code(sys._getframe(1).f_code.co_filename) and MODULE_NAME not in (_home(family), _home(member)):
        _changes[0] += 1
    return _real_register(family, member)


def _home(kind: Any) -> str:
    return str(getattr(kind, "__module__", ""))


def _is_user_code(file: str) -> bool:
    return not file.startswith(("<frozen ", OUR_FILES)) and (file.startswith("<") or user_modules.is_user_file(file))
