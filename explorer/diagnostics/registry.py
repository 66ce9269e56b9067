"""All checks by id, the modules of this package with a ``CHECK``; the part and the lesson of each kind."""

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
"""Collected at import: each run of a program is a separate process, which would search again."""


def checks() -> dict[str, Check]:
    """Return all checks by id: those of keys, then of tracing, then of values, each part sorted by id."""
    return _CHECKS


def part_of(kind: str) -> Part:
    """Return the part of a run to which findings of `kind` belong; keys for an unknown kind."""
    check = checks().get(kind)
    return check.part if check else "keys"


def lesson_of(kind: str, reason: str = "") -> str:
    """Return the id of the lesson on findings of `kind` with `reason`; empty if there is none."""
    check = checks().get(kind)
    return check.lesson(reason) if check else ""
