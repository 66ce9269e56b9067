"""Detection of leftovers that are not undone: the next program should run in another process."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer import OUR_NAME
from explorer.link import family
from explorer.text.text import Text, say
from explorer.worker.process import settings
from explorer.worker.process.clean import outside


@dataclass(frozen=True)
class Living:
    """Threads, child processes and other resources at one moment, and the settings that are not put back."""

    threads: frozenset[threading.Thread]
    has_children: bool
    hooks: int
    files: int
    """Number of open files."""
    settings: list[object]

    @classmethod
    def now(cls) -> Living:
        """Return the current state."""
        there = frozenset(each for each in threading.enumerate() if not _is_ours(each))
        return cls(there, _has_children() or family.has_orphans(), outside.hooks(), _open_files(), settings.others())

    def since(self) -> Text:
        """Return the resources that are new since then, as a catalogue text; empty for none."""
        now = Living.now()
        if any(each.is_alive() for each in now.threads - self.threads):
            return THREAD
        if now.has_children and not self.has_children:
            return CHILD
        if now.files > self.files + FEW_FILES:
            return FILES
        if now.hooks > self.hooks:
            return HOOK
        return Text() if settings.same(now.settings, self.settings) and _has_all_of_the_stack() else CHANGED


THREAD = say("a thread is still running")
CHILD = say("a process that it started is still there")
FILES = say("files are still open")
FEW_FILES = 16
"""Libraries may open this many files themselves."""
HOOK = say("a hook was added that Python cannot remove")
CHANGED = say("something was changed that cannot be changed back")


def _open_files() -> int:
    """Return the number of open files of this process; 0 if unknown."""
    with suppress(OSError):
        return sum(1 for _ in Path("/proc/self/fd").iterdir())
    return 0


def _has_all_of_the_stack() -> bool:
    """Return whether the full recursion depth is available: some errors in C code leave it reduced."""
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    try:
        _nest(sys.getrecursionlimit() - depth - SPARE_CALLS)
    except RecursionError:
        return False
    return True


SPARE_CALLS = 50


def _nest(calls: int) -> None:
    if calls > 0:
        _nest(calls - 1)


def _is_ours(thread: threading.Thread) -> bool:
    # Threads not started by Python belong to XLA.
    if isinstance(thread, threading._DummyThread) or thread in outside.daemons_of_libraries:
        return True
    called: tuple[Callable[..., Any] | None, ...] = (
        getattr(thread, "_target", None),
        getattr(thread, "function", None),
    )
    return any(str(getattr(each, "__module__", "")).startswith(f"{OUR_NAME}.") for each in called)


def _has_children() -> bool:
    """Return whether this process has children, including ended ones that were not waited for."""
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
