"""Detection of irreversible changes inside foreign objects, by counting."""

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
    """Return the number of irreversible changes by programs."""
    return _changes[0]


def listen() -> None:
    """Start counting registrations with abstract base classes."""
    abc.ABCMeta.register = _register  # type: ignore[method-assign, assignment]


def heard(file: str, changed: Any, name: str, *_: Any) -> None:
    """Count a change of a foreign function by code of `file`, if that is user code."""
    if name in _OF_FUNCTIONS and _is_user_code(file) and not _is_user_code(changed.__code__.co_filename):
        _changes[0] += 1


def _register(family: Any, member: Any) -> Any:
    """Register `member` with the abstract base class `family`; for foreign classes, this is irreversible."""
    if _is_user_code(sys._getframe(1).f_code.co_filename) and MODULE_NAME not in (_home(family), _home(member)):
        _changes[0] += 1
    return _real_register(family, member)


def _home(kind: Any) -> str:
    return str(getattr(kind, "__module__", ""))


def _is_user_code(file: str) -> bool:
    return not file.startswith(("<frozen ", OUR_FILES)) and (file.startswith("<") or user_modules.is_user_file(file))
