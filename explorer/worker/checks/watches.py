"""The detectors of `by_kind` together: all watch one run, and each returns its findings."""

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
    """Detector of one kind of finding in one run."""

    def watching(self) -> AbstractContextManager[Guard]:
        """Watch the block. Its exceptions go to the guard and not to the program."""

    def findings(self) -> Iterable[Finding]:
        """Return the findings of the block."""


MODULES: tuple[Any, ...] = tuple(
    importlib.import_module(f"{by_kind.__name__}.{each.name}") for each in pkgutil.iter_modules(by_kind.__path__)
)
"""Imported eagerly: each run of a program is a process of its own."""


class Watches:
    """One detector of each kind for one run, which may have several stretches; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._all: list[Watch] = [each.Watch(is_user_code) for each in MODULES]
        self._guards: list[Guard] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the block with all detectors."""
        with ExitStack() as stack:
            self._guards += [stack.enter_context(each.watching()) for each in self._all]
            yield

    @property
    def error(self) -> BaseException | None:
        """Return the error of the first detector that failed, or None."""
        return next((each.error for each in self._guards if each.error is not None), None)

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings of all detectors."""
        return tuple(finding for each in self._all for finding in each.findings())
