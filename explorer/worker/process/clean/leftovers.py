"""What a program has left behind in the process that cannot be put back: the next one shall run in another."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.link import family
from explorer.worker.process.clean import outside
from explorer.worker.spoken.say import later


@dataclass(frozen=True)
class Living:
    """What lives beside the main thread of this process at one moment."""

    threads: frozenset[threading.Thread]
    has_children: bool
    hooks: int

    @classmethod
    def now(cls) -> Living:
        """Return what lives now."""
        there = frozenset(each for each in threading.enumerate() if not _is_ours(each))
        return cls(there, _has_children() or family.has_orphans(), outside.hooks())

    def since(self) -> str:
        """Return what lives now and did not then, in words to be looked up; empty for nothing."""
        now = Living.now()
        if any(each.is_alive() for each in now.threads - self.threads):
            return THREAD
        if now.has_children and not self.has_children:
            return CHILD
        return HOOK if now.hooks > self.hooks else ""


THREAD = later("a thread is still running")
CHILD = later("a process that it started is still there")
HOOK = later("a hook was added that Python never gives back")
CHANGED = later("something was changed that cannot be changed back")


def _is_ours(thread: threading.Thread) -> bool:
    # One that Python did not start is of XLA, and calls back.
    if isinstance(thread, threading._DummyThread) or thread in outside.daemons_of_libraries:
        return True
    called: tuple[Callable[..., Any] | None, ...] = (
        getattr(thread, "_target", None),
        getattr(thread, "function", None),
    )
    return any(str(getattr(each, "__module__", "")).startswith("explorer.") for each in called)


def _has_children() -> bool:
    """Return whether there are processes that this one has started, dead ones included that nobody has asked about."""
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
