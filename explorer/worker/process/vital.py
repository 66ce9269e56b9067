"""What all code in the process stands on: a program that takes it away cannot be told of before it is back."""

from __future__ import annotations

import builtins
import linecache
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

ANYTHING = BaseException
"""What a program may have put something else in the place of."""
_own: dict[str, Any] = vars(builtins)
_modules: dict[str, Any] = sys.modules
_lines = linecache.cache
_was_changed = [False]
_known: dict[str, Any] = {}
_imported: dict[str, Any] = {}


def remember() -> None:
    """Remember what is there now, before any program."""
    _known.update(_own)
    _imported.update(_modules)


def put_back() -> bool:
    """Put Python's own functions, modules and lines of code back; return whether any had been changed, now or before.

    It calls nothing that a program could have changed.
    """
    changed = _was_changed[0]
    for there, known in ((_own, _known), (_modules, _imported)):
        for name, value in known.items():
            if name not in there or there[name] is not value:
                there[name] = value
                changed = True
    if sys.modules is not _modules:
        sys.modules = _modules
        changed = True
    if linecache.cache is not _lines:
        linecache.cache = _lines
        changed = True
    sys.settrace(None)
    sys.setprofile(None)
    if changed:
        _was_changed[0] = True
    return changed


def was_changed() -> bool:
    """Return whether anything had to be put back in this process."""
    return _was_changed[0]


def limits() -> dict[int, tuple[int, int]]:
    """Return how much the system lets this process have of each thing; {} where it does not say."""
    try:
        import resource
    except ImportError:
        return {}
    names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    return {number: resource.getrlimit(number) for number in {getattr(resource, name) for name in names}}


def put_limits(wanted: dict[int, tuple[int, int]]) -> None:
    """Have these limits again. Raises ValueError where only the system's administrator could."""
    if wanted:
        import resource

        for number, limit in wanted.items():
            if resource.getrlimit(number) != limit:
                resource.setrlimit(number, limit)


@contextmanager
def limits_kept() -> Iterator[None]:
    """Undo in the end what the block does to the limits: to tell of a program takes memory, threads and files."""
    before = limits()
    try:
        yield
    finally:
        # What cannot be undone is told with what else has been left behind.
        with suppress(ValueError):
            put_limits(before)
