"""Every check, by its id: a module of this room that has a ``CHECK`` is one, and nothing else knows them by name."""

from __future__ import annotations

import importlib
import pkgutil

from explorer import diagnostics
from explorer.diagnostics.check import PARTS, Check, Part


def _found() -> dict[str, Check]:
    modules = (importlib.import_module(f"{diagnostics.__name__}.{each.name}") for each in _MODULES)
    found = [each for module in modules if isinstance(each := getattr(module, "CHECK", None), Check)]
    return {each.id: each for each in sorted(found, key=lambda each: (PARTS.index(each.part), each.id))}


_MODULES = [
    each for each in pkgutil.iter_modules(diagnostics.__path__) if each.name not in ("check", "page", "registry")
]
_CHECKS = _found()
"""Found at once: each run of a program is a process of its own, which would look again."""


def checks() -> dict[str, Check]:
    """Return all checks by id, those of keys first, then of tracing, then of values, each part in order of the ids."""
    return _CHECKS


def part_of(kind: str) -> Part:
    """Return which part of a run findings of `kind` are of; keys for a kind of a later version."""
    check = checks().get(kind)
    return check.part if check else "keys"


def lesson_of(kind: str, reason: str = "") -> str:
    """Return the id of the lesson that shows findings of `kind` for `reason`; empty where there is none."""
    check = checks().get(kind)
    return check.lesson(reason) if check else ""
