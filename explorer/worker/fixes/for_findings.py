"""Proposes fixes for a finding, still untested, from the module of its kind in `by_kind`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import suppress

from explorer.messages import Finding, Fix
from explorer.worker.fixes import by_kind
from explorer.worker.syntax.code_tree import CodeTree, readable

Maker = Callable[[CodeTree, Finding], Iterator[Fix]]


MAKERS: dict[str, Maker] = {
    each.name.replace("_", "-"): importlib.import_module(f"{by_kind.__name__}.{each.name}").proposed
    for each in pkgutil.iter_modules(by_kind.__path__)
}
"""The function that proposes fixes, by the kind of finding. Each run of a program is a separate process."""


def proposed_for_finding(finding: Finding, text: str) -> Iterator[Fix]:
    """Yield the untested fixes for `finding` in the code `text`, without repetition, the best match first."""
    code, maker = readable(text), MAKERS.get(finding.kind)
    found: list[Fix] = []
    # The code may have any form: a maker that does not know a form proposes nothing.
    with suppress(ValueError, TypeError, AttributeError, IndexError, KeyError, RuntimeError):
        for each in maker(code, finding) if code and maker else ():
            if each not in found:
                found.append(each)
                yield each
