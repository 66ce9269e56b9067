"""Watches the readings of Python's clocks (`Clocks`), and reports whether JAX still computes at that moment.

Asynchronous dispatch: https://docs.jax.dev/en/latest/async_dispatch.html.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

import jax
from jax._src import xla_bridge

from explorer.worker.internals.guard import Guard

_BASES = ("time", "perf_counter", "monotonic", "process_time")
NAMES = tuple(f"{base}{unit}" for base in _BASES for unit in ("", "_ns"))


class Clock:
    """A function of the module ``time`` that also tells where it is read.

    No Python function: that would be bound to the object if it is an attribute of a class.
    """

    def __init__(self, genuine: Callable[[], Any], tell: Callable[[FrameType], bool]) -> None:
        self.genuine, self._tell = genuine, tell
        self.__name__, self.__qualname__ = genuine.__name__, genuine.__qualname__
        self.__module__, self.__doc__ = genuine.__module__, genuine.__doc__

    def __call__(self, *given: Any, **named: Any) -> Any:
        now = self.genuine(*given, **named)
        # Our own work here must not count in the program's times.
        return self.genuine() if self._tell(sys._getframe(1)) else now

    def __repr__(self) -> str:
        return repr(self.genuine)

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return _named, (self.__name__,)


def _named(name: str) -> Any:
    return getattr(time, name)


class Clocks:
    """The clocks of the module ``time``, which tell `tell` the frame that reads one, after it was read.

    `tell` returns whether a time begins there, so that the clock is read again.
    """

    def __init__(self, tell: Callable[[FrameType], bool]) -> None:
        self._tell = tell
        self._guard = Guard()
        # The program may keep a clock: it tells in each block, and never outside.
        self._is_on = False
        self._made = {name: Clock(getattr(time, name), self._guarded) for name in NAMES}

    @contextmanager
    def watching(self) -> Iterator[Guard]:
        """Watch the block. What `tell` raises does not reach the program: the guard that is yielded has it."""
        with ExitStack() as stack:
            for name, clock in self._made.items():
                if getattr(time, name) is clock.genuine:
                    setattr(time, name, clock)
                    stack.callback(_put_back, name, clock)
            self._is_on = True
            try:
                yield self._guard
            finally:
                self._is_on = False

    def _guarded(self, frame: FrameType) -> bool:
        return self._is_on and self._guard.call_or(self._tell, frame, instead=False)


def _put_back(name: str, clock: Clock) -> None:
    if getattr(time, name, None) is clock:
        setattr(time, name, clock.genuine)


def still_computes() -> bool:
    """Return whether any array of the program is not ready."""
    # Asking JAX for its arrays would start its devices.
    if not xla_bridge.backends_are_initialized():
        return False
    return any(not each.is_deleted() and not each.is_ready() for each in jax.live_arrays())
