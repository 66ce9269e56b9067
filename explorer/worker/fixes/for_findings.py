"""Fixes for findings, by kind: one key for each example, a split before a second use, one jit, a where."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import suppress

from explorer.messages import Finding, Fix
from explorer.worker.errors.code_tree import CodeTree, readable
from explorer.worker.fixes import by_kind

Maker = Callable[[CodeTree, Finding], Iterator[Fix]]


MAKERS: dict[str, Maker] = {
    each.name.replace("_", "-"): importlib.import_module(f"{by_kind.__name__}.{each.name}").proposed
    for each in pkgutil.iter_modules(by_kind.__path__)
}
"""What proposes fixes, by the kind of finding. Found at once: each run of a program is a process of its own."""


def proposed_for_finding(finding: Finding, text: str) -> Iterator[Fix]:
    """Yield the fixes to try for `finding` of the code `text`, each once, the most fitting first; not tried yet."""
    code, maker = readable(text), MAKERS.get(finding.kind)
    found: list[Fix] = []
    # The code may have any form: a maker that meets one it does not know has nothing to offer.
    with suppress(ValueError, TypeError, AttributeError, IndexError, KeyError, RuntimeError):
        for each in maker(code, finding) if code and maker else ():
            if each not in found:
                found.append(each)
                yield each
