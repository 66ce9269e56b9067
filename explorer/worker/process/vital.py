"""Protection of the functions and modules that all code of the process needs, even to report on a program."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from explorer import OUR_NAME
from explorer.text.text import say

try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]

CHANGED = say(
    "The program changed functions or modules that everything in its process needs, including those of Python, so "
    "its behaviour is not known."
)

ANYTHING = BaseException
"""The genuine class, in case a program replaced the builtin."""
_own: dict[str, Any] = vars(builtins)
_modules: dict[str, Any] = sys.modules
_was_changed = [False]
_known: dict[str, Any] = {}
_imported: dict[str, Any] = {}
_ours: list[tuple[Any, dict[str, Any]]] = []
"""Our modules and classes, each with its functions and classes."""


def remember() -> None:
    """Record the genuine objects, before any program."""
    _known.update(_own)
    _imported.update(_modules)
    for name, module in _modules.items():
        if name.startswith(f"{OUR_NAME}.") or name == "__main__":
            _remember(module)
            for each in list(vars(module).values()):
                if isinstance(each, type) and each.__module__ == name:
                    _remember(each)


def _remember(owner: Any) -> None:
    _ours.append((owner, {name: each for name, each in vars(owner).items() if callable(each)}))


def put_back() -> bool:
    """Restore Python's own functions and modules, and ours; return whether any was changed, now or before.

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
    changed = put_ours_back() or changed
    sys.settrace(None)
    sys.setprofile(None)
    if changed:
        _was_changed[0] = True
    return changed


def put_ours_back() -> bool:
    """Restore our own functions and classes; return whether any was changed."""
    changed = False
    for owner, known in _ours:
        there = owner.__dict__
        for name, value in known.items():
            if name not in there or there[name] is not value:
                setattr(owner, name, value)
                changed = True
    if changed:
        _was_changed[0] = True
    return changed


def differs() -> bool:
    """Return whether Python's own functions or modules differ from those before any program."""
    pairs = ((_own, _known), (_modules, _imported))
    return any(there.get(name) is not value for there, known in pairs for name, value in known.items())


@contextmanager
def aside() -> Iterator[None]:
    """Restore Python's own functions and all modules in the block, and bring the program's changes back afterwards.

    Callers should check for changes first: it copies all of them.
    """
    own, modules, here, tracing = _own.copy(), _modules.copy(), sys.modules, (sys.gettrace(), sys.getprofile())
    before = _was_changed[0]
    put_back()
    _was_changed[0] = before
    try:
        yield
    finally:
        # Modules imported in the block stay.
        _own.update(own)
        for name in _known:
            if name not in own:
                _own.pop(name, None)
        for name in _imported:
            if name in modules:
                _modules[name] = modules[name]
            else:
                _modules.pop(name, None)
        sys.modules = here
        sys.settrace(tracing[0])
        sys.setprofile(tracing[1])


def was_changed() -> bool:
    """Return whether anything had to be restored in this process."""
    return _was_changed[0]


@contextmanager
def room() -> Iterator[None]:
    """Ensure enough recursion depth in the block: a program may set any limit.

    Some errors in C code never release their depth: it is lost for good.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, CALLS) + CALLS)
    try:
        yield
    finally:
        # If the limit is below the current depth, the program set it so.
        with suppress(RecursionError):
            sys.setrecursionlimit(before)


CALLS = 3000


def limits() -> dict[int, tuple[int, int]]:
    """Return the resource limits of this process; {} if unknown."""
    if sys.platform == "win32" or resource is None:
        return {}
    names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    return {number: resource.getrlimit(number) for number in {getattr(resource, name) for name in names}}


def put_limits(wanted: dict[int, tuple[int, int]]) -> None:
    """Restore these limits. Raises ValueError for those that only an administrator may raise."""
    if wanted:
        for number, limit in wanted.items():
            if resource.getrlimit(number) != limit:
                resource.setrlimit(number, limit)


@contextmanager
def limits_restored() -> Iterator[None]:
    """Undo the block's changes of resource limits: a report needs memory, threads and files."""
    before = limits()
    try:
        yield
    finally:
        # Failures are reported with the other leftovers.
        with suppress(ValueError):
            put_limits(before)
