"""The watches of all kinds together, for an inspected run and for a recording."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, Protocol

from explorer.messages import Finding
from explorer.worker.checks import by_kind
from explorer.worker.internals.guard import Guard


class Watch(Protocol):
    """Watches one stretch of a program for one kind of finding."""

    def watching(self) -> AbstractContextManager[Guard]:
        """Watch the block. What goes wrong with it is in the guard, and not seen by the program."""

    def findings(self) -> Iterable[Finding]:
        """Return what was found in the block."""


MODULES: tuple[Any, ...] = tuple(
    importlib.import_module(f"{by_kind.__name__}.{each.name}") for each in pkgutil.iter_modules(by_kind.__path__)
)
"""Found at once: each run of a program is a process of its own."""


def may_find(source: str) -> bool:
    """Return whether any of them may find something in a run of `source`."""
    return any(each.may_find(source) for each in MODULES)


class Watches:
    """One watch of each kind around a stretch of a program; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._all: list[Watch] = [each.Watch(is_user_code) for each in MODULES]
        self._guards: list[Guard] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the block with all of them."""
        with ExitStack() as stack:
            self._guards = [stack.enter_context(each.watching()) for each in self._all]
            yield

    @property
    def error(self) -> BaseException | None:
        """Return the error of the first watch that failed, None where all work."""
        return next((each.error for each in self._guards if each.error is not None), None)

    def findings(self) -> tuple[Finding, ...]:
        """Return what they found."""
        return tuple(finding for each in self._all for finding in each.findings())
